import { adviceFor } from '../../carriers/delivery-codes.ts'
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
  type Hides,
  type Match,
  type TimeRange,
  type SummaryRow,
} from './search-store.ts'
import { HIGHEST_ID } from './message-rows-store.ts'
import { earlier, later, searchRange, STATEMENT_MS } from './search-range.ts'

export type Search = {
  recipient?: string | undefined
  external_ref?: string | undefined
  /** Part of the reference, or the recipient if it is a number. */
  text?: { part: string; recipient: string | undefined } | undefined
  status?: DeliveryStatus | undefined
  /** Milliseconds since 1970. */
  from_ms?: number | undefined
  until_ms?: number | undefined
  /** Only these messages, newest first; not together with the fields above, except the times. */
  message_ids?: readonly string[] | undefined
  /** Applies to a search by nothing but time. */
  hides?: Hides | undefined
}

export type Found = {
  messages: FoundMessage[]
  /** The position to continue from; undefined at the end. */
  next: string | undefined
  /** How far back the search got within its time limit. */
  searched_until_ms: number | undefined
}

const SHOWN_RECIPIENTS = 3

type Hit = { message_id: string; match?: Match }

/**
 * Finds messages, newest first, before `before`, by scanning ranges of time within a time limit: there is no index by
 * number, because every delivery would pay for it.
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
  const { hits, reached } = needsScan(search)
    ? await searchRange(finder(deps.db, organisation_id, search), { from, before: top }, { limit: limit + 1 })
    : {
        hits: await findByReference(deps.db, organisation_id, search, { from, before: top }, limit + 1),
        reached: undefined,
      }
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

function needsScan({ recipient, status, external_ref, text }: Search): boolean {
  return external_ref === undefined && (recipient !== undefined || status !== undefined || text !== undefined)
}

/** Few messages share a reference, so the other filters are applied to the result. */
async function findByReference(
  db: Db,
  organisation_id: string,
  { external_ref, recipient, status, message_ids, hides }: Search,
  range: TimeRange,
  limit: number,
): Promise<Hit[]> {
  if (message_ids) {
    const inRange = (id: string): boolean => id >= range.from && id < range.before
    return message_ids
      .filter(inRange)
      .slice(0, limit)
      .map((message_id) => ({ message_id }))
  }
  if (recipient === undefined && status === undefined) {
    return findIds(
      db,
      organisation_id,
      range,
      { external_ref, hides: external_ref === undefined ? hides : undefined },
      limit,
    )
  }
  const found = await findIds(db, organisation_id, range, { external_ref, hides: undefined }, MOST_OF_ONE_REFERENCE)
  const hits: Hit[] = []
  for (const { message_id } of found) {
    const only = { from: message_id, before: justAfter(message_id) }
    hits.push(...(await findInRange(db, organisation_id, { recipient, status }, only, 1, STATEMENT_MS)))
    if (hits.length === limit) break
  }
  return hits
}

const MOST_OF_ONE_REFERENCE = 500

/** Messages to a number, newest first, and how far back the search got; undefined: to the end. */
export async function findSentTo(
  deps: { db: Db },
  organisation_id: string,
  recipient: string,
  { before = HIGHEST_ID, limit, budget_ms }: { before: string | undefined; limit: number; budget_ms: number },
): Promise<{ matches: Match[]; reached: string | undefined }> {
  const from = await findOldest(deps.db, organisation_id)
  if (from === undefined) return { matches: [], reached: undefined }
  const { hits, reached } = await searchRange(
    finder(deps.db, organisation_id, { recipient }),
    { from, before },
    { limit, budget_ms },
  )
  return { matches: hits.flatMap(({ match }) => match ?? []), reached }
}

function finder(db: Db, organisation_id: string, search: Search) {
  return (range: TimeRange, limit: number, timeout_ms: number) =>
    findInRange(db, organisation_id, search, range, limit, timeout_ms)
}

async function findInRange(
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
    const by_number = await findInRange(
      db,
      organisation_id,
      { recipient: text.recipient, status },
      range,
      limit,
      timeout_ms,
    )
    return newest([...by_number, ...by_reference], limit)
  }
  if (recipient !== undefined) {
    const found = await findByRecipient(db, organisation_id, range, { recipient, status }, { limit, timeout_ms })
    return found.map((match) => ({ message_id: match.message_id, match }))
  }
  return status === undefined ? [] : findByStatus(db, organisation_id, range, status, { limit, timeout_ms })
}

/** Each message once, the first hit of it. */
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
        ...present('advice', adviceFor(match)),
      },
    }),
  }
}
