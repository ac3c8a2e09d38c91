import type { Db } from '../../db/connect.ts'
import { firstIdAt, justAfter } from '../../values/id.ts'
import type { InboundRow } from '../inbound/store.ts'
import { findOldestReceived, findReceived, findSent, type Addresses } from './sent-and-received-store.ts'
import { HIGHEST_ID } from './message-rows-store.ts'
import type { FoundMessage } from './schema.ts'
import { foundMessage } from './search.ts'
import { findOldest, summarise, type Match, type TimeRange } from './search-store.ts'
import { earlier, later, searchRange } from './search-range.ts'

/** `before`: those older than this id, newest first. `after`: those newer than this one, oldest first. */
export type Place = { before?: string | undefined; after?: string | undefined; limit: number }

export type SentOrReceivedFilter = Addresses & {
  /** Milliseconds since 1970, both included. */
  from_ms?: number | undefined
  until_ms?: number | undefined
}

export type SentOrReceived = { id: string } & (
  | { sent: FoundMessage & { callback: string | null }; received?: undefined }
  | { received: InboundRow; sent?: undefined }
)

/** Ids may be ahead of the clock, but by less than this. */
const AHEAD_MS = 86_400_000
const SHOWN_RECIPIENTS = 1

/**
 * Sent messages and received texts in one list, by keyset pagination. `more` is the position to continue from; it may be
 * set with fewer than `limit` results if the search reached its time limit.
 */
export async function listSentAndReceived(
  deps: { db: Db },
  organisation_id: string,
  wanted: SentOrReceivedFilter,
  place: Place,
): Promise<{ found: SentOrReceived[]; more: string | undefined }> {
  const { limit } = place
  const upwards = place.after !== undefined
  const { db } = deps
  const [oldest_sent, oldest_received] = await Promise.all([
    findOldest(db, organisation_id),
    findOldestReceived(db, organisation_id),
  ])
  const search = <T>(
    find: (range: TimeRange, limit: number, timeout_ms: number) => Promise<T[]>,
    oldest: string | undefined,
  ) => {
    if (oldest === undefined) return { hits: [], reached: undefined }
    return searchRange(find, rangeOf(wanted, place, oldest), { limit: limit + 1, upwards })
  }
  const [sent, received] = await Promise.all([
    search<Match | { message_id: string }>(
      (range, most, timeout_ms) => findSent(db, organisation_id, range, wanted, { limit: most, timeout_ms, upwards }),
      oldest_sent,
    ),
    search<InboundRow>(
      (range, most, timeout_ms) =>
        findReceived(db, organisation_id, range, wanted, { limit: most, timeout_ms, upwards }),
      oldest_received,
    ),
  ])
  // Beyond the range that one search has covered, its results may be missing between those of the other.
  const reached = [sent.reached, received.reached].filter((one) => one !== undefined).sort()
  const bound = upwards ? reached[0] : reached.at(-1)
  const all = [
    ...sent.hits.map((hit) => ({ id: hit.message_id, hit, text: undefined })),
    ...received.hits.map((text) => ({ id: text.id, hit: undefined, text })),
  ]
    .filter(({ id }) => bound === undefined || (upwards ? id < bound : id >= bound))
    .sort((a, b) => (a.id < b.id === upwards ? -1 : 1))
  const shown = all.slice(0, limit)
  const summaries = await summariesOf(
    db,
    organisation_id,
    shown.flatMap(({ hit }) => hit ?? []),
  )
  return {
    found: shown.flatMap(({ id, text }): SentOrReceived[] => {
      const summary = summaries.get(id)
      return text ? [{ id, received: text }] : summary ? [{ id, sent: summary }] : []
    }),
    more: all.length > limit ? shown.at(-1)?.id : bound,
  }
}

function rangeOf({ from_ms, until_ms }: SentOrReceivedFilter, { before, after }: Place, oldest: string): TimeRange {
  const floor = from_ms === undefined ? oldest : later(oldest, firstIdAt(from_ms))
  const ceiling = earlier(
    until_ms === undefined ? HIGHEST_ID : firstIdAt(until_ms + 1),
    firstIdAt(Date.now() + AHEAD_MS),
  )
  return {
    from: after === undefined ? floor : later(floor, justAfter(after)),
    before: before === undefined ? ceiling : earlier(ceiling, before),
  }
}

async function summariesOf(db: Db, organisation_id: string, hits: readonly (Match | { message_id: string })[]) {
  const ids = hits.map(({ message_id }) => message_id)
  const rows = ids.length > 0 ? await summarise(db, organisation_id, ids, SHOWN_RECIPIENTS) : []
  const match_of = new Map(hits.map((hit) => [hit.message_id, 'recipient' in hit ? hit : undefined]))
  return new Map(rows.map((row) => [row.id, { ...foundMessage(row, match_of.get(row.id)), callback: row.callback }]))
}
