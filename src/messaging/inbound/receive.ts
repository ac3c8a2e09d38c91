import { CALLBACK_QUEUE, enqueueCallbacks } from '../../callbacks/enqueue.ts'
import { enqueueForReceivers } from '../../callbacks/outbox/enqueue.ts'
import type { ReceivedText } from '../../carriers/message-carrier.ts'
import type { Db, Tx } from '../../db/connect.ts'
import { transaction } from '../../db/transaction.ts'
import { keywordOf } from '../../optouts/keyword.ts'
import { applyKeywords } from '../../optouts/optouts.ts'
import { DOWNLOAD_QUEUE, insertPending } from '../../media/download-store.ts'
import { readInboundUrl } from '../../organisations/settings-store.ts'
import type { Live } from '../../observe/live.ts'
import type { Meters } from '../../observe/meters.ts'
import { enqueue } from '../../queue/store.ts'
import type { Wakeups } from '../../queue/wakeups.ts'
import { groupBy } from '../../values/group.ts'
import { newId } from '../../values/id.ts'
import type { Log } from '../../values/log.ts'
import { present } from '../../values/record.ts'
import type { PseudonymOf } from '../../values/secrets/pseudonym.ts'
import { shownInbound } from './read.ts'
import { makeOwnerOf } from './owner.ts'
import {
  addToConversations,
  claimIds,
  findReplied,
  insertInbound,
  UNOWNED,
  type InboundRow,
  type MediaOfText,
} from './store.ts'

export type InboundDeps = {
  db: Db
  log: Log
  wakeups: Wakeups
  meters: Pick<Meters, 'received'>
  /** Invalidates the cached organisation in every process. */
  notifyChange: (organisation_id: string) => void
  pseudonymOf: PseudonymOf
  /** Updates open conversations in the console. */
  live: Pick<Live, 'notifyTexts'>
}

/** Stores received texts for their organisations. Resolves once they are stored; a repeated text is stored once. */
export async function receiveTexts(deps: InboundDeps, texts: readonly ReceivedText[]): Promise<void> {
  if (texts.length === 0) return
  const ownerOf = await makeOwnerOf(deps.db, texts)
  const groups = groupBy(texts, (text) => ownerOf(text) ?? UNOWNED)
  for (const [organisation_id, own] of groups) await keepTexts(deps, organisation_id, own)
}

/**
 * The same where it is known whose they are: the texts, what they ask of us, and the callback, together or not at all.
 * Returns those that were new.
 */
export async function keepTexts(
  deps: InboundDeps,
  organisation_id: string,
  texts: readonly ReceivedText[],
): Promise<InboundRow[]> {
  const kept = await transaction(deps.db, async (tx) => {
    const fresh = await withoutKnown(tx, texts)
    if (fresh.length === 0) return []
    const inserted = await insertInbound(tx, organisation_id, await withReplied(tx, organisation_id, fresh))
    const rows = inserted.map((row) => ({ ...row, media: null as MediaOfText | null }))
    if (organisation_id === UNOWNED) return rows
    await expectFiles(tx, organisation_id, fresh, rows)
    await applyKeywords(tx, deps.pseudonymOf, organisation_id, rows.flatMap(wordOf))
    const events = eventsOf(rows, await readInboundUrl(tx, organisation_id))
    await enqueueCallbacks(tx, organisation_id, events)
    await enqueueForReceivers(tx, organisation_id, events)
    await addToConversations(tx, organisation_id, newestByPhone(rows))
    return rows
  })
  for (const { channel } of kept) deps.meters.received.inc({ channel })
  if (kept.length > 0) deps.wakeups.wake(CALLBACK_QUEUE)
  if (kept.some(({ media }) => media)) deps.wakeups.wake(DOWNLOAD_QUEUE)
  deps.live.notifyTexts(organisation_id, [...new Set(kept.map(({ from }) => from))])
  if (kept.some((row) => wordOf(row).length > 0)) deps.notifyChange(organisation_id)
  if (organisation_id === UNOWNED && kept.length > 0) {
    const details = { count: kept.length, to: [...new Set(kept.map(({ to }) => to))] }
    deps.log.warn(details, 'texts arrived for numbers that belong to no organisation')
  }
  return kept
}

/** New texts, the first of each id; without NUL characters, which no column can store. */
async function withoutKnown(tx: Tx, texts: readonly ReceivedText[]) {
  const unclaimed = new Set((await claimIds(tx, texts)).map(keyOf))
  return texts
    .filter((text) => unclaimed.delete(keyOf(text)))
    .map(({ carrier, channel, received_id, from, to, whatsapp = null, replied_id, ...given }) => {
      const text = given.text.replaceAll('\u0000', '')
      // Needed to quote it or to react to it, which other channels do not have.
      const carrier_message_id = channel === 'whatsapp' ? received_id : null
      const keyword = keywordOf(text)
      const own = { from, to, channel, text, whatsapp, keyword, carrier, carrier_message_id, replied_id }
      return { id: newId(), ...own, media: given.media }
    })
}

/** Texts with our id of the message that each answers, quotes or reacts to. */
async function withReplied(tx: Tx, organisation_id: string, texts: Awaited<ReturnType<typeof withoutKnown>>) {
  const named = texts.flatMap(({ carrier, replied_id }) => (replied_id === undefined ? [] : [{ carrier, replied_id }]))
  const ids = await findReplied(tx, organisation_id, named)
  return texts.map(({ whatsapp, replied_id = '', ...text }) => {
    const reply_to = ids.get(replied_id)
    return { ...text, whatsapp: whatsapp && { ...whatsapp, ...present('reply_to', reply_to) } }
  })
}

/** Files are downloaded by jobs, so that the delivery of the text does not wait for them. */
async function expectFiles(
  tx: Tx,
  organisation_id: string,
  texts: Awaited<ReturnType<typeof withoutKnown>>,
  rows: readonly InboundRow[],
): Promise<void> {
  const files = texts.flatMap(({ id, from, carrier, media }) => (media ? [{ id, from, carrier, ...media }] : []))
  if (files.length === 0) return
  await insertPending(tx, organisation_id, files)
  const jobs = files.map(({ id }) => ({ lane: organisation_id, organisation_id, subject_id: id }))
  await enqueue(tx, DOWNLOAD_QUEUE, jobs)
  const by_id = new Map(files.map((file) => [file.id, file]))
  for (const row of rows) {
    const { type, filename = null } = by_id.get(row.id) ?? {}
    if (type !== undefined) row.media = { type, filename, size: null, state: 'pending' }
  }
}

function keyOf({ carrier, received_id }: { carrier: string; received_id: string }): string {
  return `${carrier} ${received_id}`
}

const PHONE = /^[0-9]{7,15}$/

/** Names and short codes are left out: they cannot be replied to. */
function newestByPhone(rows: readonly InboundRow[]) {
  const by_phone = groupBy(
    rows.filter(({ from }) => PHONE.test(from)),
    ({ from }) => from,
  )
  return [...by_phone].map(([phone, own]) => {
    const { id, channel, to, created_datetime } = own.reduce((a, b) => (b.id > a.id ? b : a))
    return { phone, id, channel, to, received_datetime: created_datetime, received: BigInt(own.length) }
  })
}

/** HELP is for the organisation to answer; an address that is not a number cannot be sent to anyway. */
function wordOf({ from, keyword }: InboundRow): { recipient: string; keyword: 'stop' | 'start' }[] {
  if ((keyword !== 'stop' && keyword !== 'start') || !PHONE.test(from)) return []
  return [{ recipient: from, keyword }]
}

/** Without an inbound URL webhooks may still subscribe to them. */
function eventsOf(rows: readonly InboundRow[], url: string | null) {
  return rows.map((row) => ({
    type: 'text.received' as const,
    url,
    subject_id: row.id,
    created_datetime: row.created_datetime,
    data: shownInbound(row),
  }))
}
