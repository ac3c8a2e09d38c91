import type { Db } from '../../db/connect.ts'
import { firstIdAt, justAfter, madeAt } from '../../values/id.ts'
import { moneyToNumber } from '../../values/money.ts'
import { present } from '../../values/record.ts'
import type { DeliveryStatus } from '../schema.ts'
import type { FoundMessage } from './schema.ts'
import {
  findByRecipient,
  findByReferencePart,
  findByStatus,
  findIds,
  findOldest,
  summarise,
  type Match,
  type TimeRange,
  type SummaryRow,
} from './search-store.ts'
import { HIGHEST_ID } from './message-rows-store.ts'
import { earlier, later, STRETCH_MS, walk } from './search-range.ts'

export type Search = {
  recipient?: string | undefined
  external_ref?: string | undefined
  /** In the reference; or, where it is a number, the recipient. */
  text?: { part: string; recipient: string | undefined } | undefined
  status?: DeliveryStatus | undefined
  /** Milliseconds since 1970. */
  from_ms?: number | undefined
  until_ms?: number | undefined
}

export type Found = {
  messages: FoundMessage[]
  /** Where to go on; undefined when there is nothing more. */
  next: string | undefined
  /** The search looked this far back in the time it has; going on looks further. */
  searched_until_ms: number | undefined
}

const SHOWN_RECIPIENTS = 3

type Hit = { message_id: string; match?: Match }

/**
 * Finds messages, newest first, before `before`. Range by range of time, ever longer ones while it goes swiftly, and
 * within a budget: on ten million messages a number that is not among them takes a few rounds rather than an index
 * that every delivery would pay for.
 */
export async function searchMessages(
  deps: { db: Db },
  organisation_id: string,
  search: Search,
  { before, limit }: { before: string | undefined; limit: number },
): Promise<Found> {
  const oldest = await findOldest(deps.db, organisation_id)
  if (oldest === undefined) return { messages: [], next: undefined, searched_until_ms: undefined }
  const from = later(oldest, search.from_ms === undefined ? '' : firstIdAt(search.from_ms))
  const top = earlier(before ?? HIGHEST_ID, search.until_ms === undefined ? HIGHEST_ID : firstIdAt(search.until_ms + 1))
  const { hits, reached } = needsWalk(search)
    ? await walk(lookFor(deps.db, organisation_id, search), { from, before: top }, { limit: limit + 1 })
    : { hits: await lookUp(deps.db, organisation_id, search, { from, before: top }, limit + 1), reached: undefined }
  const shown = hits.slice(0, limit)
  const ids = shown.map(({ message_id }) => message_id)
  const rows = ids.length > 0 ? await summarise(deps.db, organisation_id, ids, SHOWN_RECIPIENTS) : []
  const matches = new Map(shown.map(({ message_id, match }) => [message_id, match]))
  const more = hits.length > limit ? ids.at(-1) : reached
  return {
    messages: rows.map((row) => foundMessage(row, matches.get(row.id))),
    next: more,
    searched_until_ms: hits.length > limit || reached === undefined ? undefined : madeAt(reached),
  }
}

function needsWalk({ recipient, status, external_ref, text }: Search): boolean {
  return external_ref === undefined && (recipient !== undefined || status !== undefined || text !== undefined)
}

/** By reference there are few, so the rest of what is asked is checked on what was found. */
async function lookUp(
  db: Db,
  organisation_id: string,
  { external_ref, recipient, status }: Search,
  range: TimeRange,
  limit: number,
): Promise<Hit[]> {
  if (recipient === undefined && status === undefined) {
    return findIds(db, organisation_id, range, external_ref, limit)
  }
  const found = await findIds(db, organisation_id, range, external_ref, MOST_OF_ONE_REFERENCE)
  const hits: Hit[] = []
  for (const { message_id } of found) {
    const only = { from: message_id, before: justAfter(message_id) }
    hits.push(...(await look(db, organisation_id, { recipient, status }, only, 1, STRETCH_MS)))
    if (hits.length === limit) break
  }
  return hits
}

const MOST_OF_ONE_REFERENCE = 500

/**
 * Messages to a number, newest first, and how far back was looked in the time there is; undefined: at everything.
 */
export async function findSentTo(
  deps: { db: Db },
  organisation_id: string,
  recipient: string,
  { before = HIGHEST_ID, limit, budget_ms }: { before: string | undefined; limit: number; budget_ms: number },
): Promise<{ matches: Match[]; reached: string | undefined }> {
  const from = await findOldest(deps.db, organisation_id)
  if (from === undefined) return { matches: [], reached: undefined }
  const { hits, reached } = await walk(
    lookFor(deps.db, organisation_id, { recipient }),
    { from, before },
    { limit, budget_ms },
  )
  return { matches: hits.flatMap(({ match }) => match ?? []), reached }
}

function lookFor(db: Db, organisation_id: string, search: Search) {
  return (range: TimeRange, limit: number, timeout_ms: number) =>
    look(db, organisation_id, search, range, limit, timeout_ms)
}

async function look(
  db: Db,
  organisation_id: string,
  { recipient, status, text }: Search,
  range: TimeRange,
  limit: number,
  timeout_ms: number,
): Promise<Hit[]> {
  if (text !== undefined) {
    const search = { part: text.part, status }
    const by_reference = await findByReferencePart(db, organisation_id, range, search, { limit, timeout_ms })
    if (text.recipient === undefined) return by_reference
    const by_number = await look(db, organisation_id, { recipient: text.recipient, status }, range, limit, timeout_ms)
    return newest([...by_number, ...by_reference], limit)
  }
  if (recipient !== undefined) {
    const found = await findByRecipient(db, organisation_id, range, { recipient, status }, { limit, timeout_ms })
    return found.map((match) => ({ message_id: match.message_id, match }))
  }
  return status === undefined ? [] : findByStatus(db, organisation_id, range, status, { limit, timeout_ms })
}

/** Each message once. Of what was found twice the first is told. */
function newest(hits: readonly Hit[], limit: number): Hit[] {
  const by_id = new Map<string, Hit>()
  for (const hit of hits) if (!by_id.has(hit.message_id)) by_id.set(hit.message_id, hit)
  return [...by_id.values()].sort((a, b) => (a.message_id < b.message_id ? 1 : -1)).slice(0, limit)
}

export function foundMessage(row: SummaryRow, match: Match | undefined): FoundMessage {
  return {
    id: row.id,
    channel: row.channel,
    ...present('sender_id', row.sender_id),
    ...present('content', row.content),
    ...present('template_id', row.template_id),
    ...present('external_ref', row.external_ref),
    created_datetime: row.created_datetime,
    recipients: row.recipients,
    recipients_total: row.recipients_total,
    statuses: row.statuses,
    charge: moneyToNumber(row.charge),
    ...present('refunded', row.refunded > 0n ? moneyToNumber(row.refunded) : undefined),
    ...present('send_at', row.send_at),
    ...(match && {
      match: {
        recipient: match.recipient,
        status: match.status,
        ...present('code', match.code),
        ...present('description', match.description),
      },
    }),
  }
}
