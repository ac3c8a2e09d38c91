import { createHash } from 'node:crypto'
import type { Db } from '../../db/connect.ts'
import { transaction } from '../../db/transaction.ts'
import type { Sender } from '../../messaging/draft.ts'
import { sendMessage, type SendDeps } from '../../messaging/accept/send.ts'
import { finish, postpone, type Job } from '../../queue/store.ts'
import type { Wakeups } from '../../queue/wakeups.ts'
import { startWorker, type Worker } from '../../queue/worker.ts'
import type { Log } from '../../values/log.ts'
import { moneyFromNumber, type Money } from '../../values/money.ts'
import { Refusal } from '../../values/refusal.ts'
import { readFilters } from '../query/filters.ts'
import { findRows } from '../query/find.ts'
import { findSmartlist } from '../smartlist-store.ts'
import { openTable } from '../table.ts'
import { readPattern } from '../../values/placeholders.ts'
import { fillFromRow } from './placeholders.ts'
import { endSend, findSend, listRecipients, prepareChunk, recordChunk, type SendRow } from './send-store.ts'
import { isRecord } from '../../values/record.ts'

export const SEND_LIST_QUEUE = 'contacts:send'

const ROWS_PER_CHUNK = 500
const TURN_MS = 1_500

export type SendListDeps = SendDeps & {
  db: Db
  log: Log
  wakeups: Wakeups
  senderOf: (organisation_id: string) => Promise<Sender | undefined>
}

/** Sends messages to smartlists, chunk by chunk. Each chunk is charged by itself, once, however often it is tried. */
export function startListSends(deps: SendListDeps): Worker {
  return startWorker(deps, {
    queue: SEND_LIST_QUEUE,
    limit: 2,
    batch: 1,
    work: async (jobs) => {
      for (const job of jobs) await takeTurn(deps, job)
    },
  })
}

async function takeTurn(deps: SendListDeps, job: Job): Promise<void> {
  const { organisation_id, subject_id } = job
  const sender = await deps.senderOf(organisation_id)
  for (const until = Date.now() + TURN_MS; Date.now() < until;) {
    const send = await findSend(deps.db, organisation_id, subject_id)
    if (!sender || !send || (send.status !== 'queued' && send.status !== 'running')) return finish(deps.db, [job])
    if (!send.prepared) await prepareNext(deps, sender, send)
    else await sendChunk(deps, sender, send)
  }
  await postpone(deps.db, [job], 0)
  deps.wakeups.wake(SEND_LIST_QUEUE)
}

/** Looks at the next rows of the list and writes down who among them gets the message. */
async function prepareNext(deps: SendListDeps, sender: Sender, send: SendRow): Promise<void> {
  const { organisation_id } = sender
  const table = await openTable(deps, sender)
  const list = await findSmartlist(deps.db, organisation_id, send.smartlist_id)
  if (!list) return endSend(deps.db, organisation_id, send.id, 'failed', 'The smartlist was deleted.')
  const { conditions } = readFilters(table, list.filters, [])
  const after = send.after_id === null ? undefined : { id: send.after_id, key: null }
  const search = { organisation_id, conditions, sort: undefined }
  const rows = await findRows(deps.db, search, { after, skip: 0, limit: ROWS_PER_CHUNK })
  const last = rows.at(-1)
  if (!last) return endSend(deps.db, organisation_id, send.id, 'done', null)

  const pattern = readPattern(send.message.content)
  const personal = pattern.placeholders.length > 0
  const chunk = { number: send.chunks + 1, after_id: last.id, rows: rows.length, without_number: 0, incomplete: 0 }
  const recipients: { recipient: string; text: string | null }[] = []
  for (const { cells, keys } of rows) {
    const recipient = keys[send.number]
    const text = personal ? fillFromRow(table, pattern, cells) : null
    if (recipient === undefined) chunk.without_number += 1
    else if (text === undefined) chunk.incomplete += 1
    else recipients.push({ recipient, text })
  }
  await transaction(deps.db, (tx) => prepareChunk(tx, organisation_id, send.id, { ...chunk, recipients }))
}

type Outcome = { accepted: number; refused: number; charge: bigint }

async function sendChunk(deps: SendListDeps, sender: Sender, send: SendRow): Promise<void> {
  const number = send.chunks + 1
  const recipients = await listRecipients(deps.db, sender.organisation_id, send.id, number)
  const personal = recipients.filter(({ text }) => text !== null)
  const shared = recipients.filter(({ text }) => text === null).map(({ recipient }) => recipient)
  try {
    const outcomes = await Promise.all([
      ...(shared.length > 0 ? [sendOne(deps, sender, send, String(number), shared, send.message.content)] : []),
      ...personal.map(({ recipient, text }) => sendOne(deps, sender, send, recipient, [recipient], text ?? '')),
    ])
    const sum = { accepted: 0, refused: 0, charge: 0n }
    for (const { accepted, refused, charge } of outcomes) {
      sum.accepted += accepted
      sum.refused += refused
      sum.charge += charge
    }
    await recordChunk(deps.db, sender.organisation_id, send.id, { number, ...sum })
  } catch (fault) {
    if (!(fault instanceof Refusal) || fault.code !== 'insufficient_balance') throw fault
    await endSend(deps.db, sender.organisation_id, send.id, 'failed', fault.message)
  }
}

/** The key makes a second try the first one again. */
async function sendOne(
  deps: SendListDeps,
  sender: Sender,
  send: SendRow,
  part: string,
  recipients: string[],
  content: string,
): Promise<Outcome> {
  // The job has waited for that time already: what it sends goes at once.
  const { template_id: id, template_version: version, send_at: _past, ...message } = send.message
  const made_of = id === undefined || version === undefined ? undefined : { id, version }
  const body = { ...message, recipients, content }
  const request_hash = createHash('sha256')
    .update(JSON.stringify({ ...body, ...made_of }))
    .digest()
  const idempotency = { key: `list ${send.id} ${part}`, request_hash }
  try {
    const { answer } = await sendMessage({ ...deps, closed_windows: 'skip' }, sender, body, {
      shape_faults: [],
      idempotency,
      made_of,
    })
    return { refused: 0, ...readAnswer(JSON.parse(answer)) }
  } catch (fault) {
    if (!(fault instanceof Refusal) || fault.code !== 'invalid_request') throw fault
    return { accepted: 0, refused: recipients.length, charge: 0n }
  }
}

/** What of our own answer to a send counts here. */
function readAnswer(answer: unknown): { accepted: number; charge: Money } {
  const { recipients, meta } = isRecord(answer) ? answer : {}
  const estimate = isRecord(meta) ? meta.estimate : undefined
  const charge = isRecord(estimate) ? estimate.charge : undefined
  if (!Array.isArray(recipients) || typeof charge !== 'number') throw new Error('A send was answered in another form.')
  return { accepted: recipients.length, charge: moneyFromNumber(charge) ?? 0n }
}
