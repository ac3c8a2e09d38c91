import { QUERY_CANCELED } from '../../db/transaction.ts'
import { firstIdAt, madeAt } from '../../values/id.ts'
import { Refusal } from '../../values/refusal.ts'
import { codeOf } from '../../values/thrown.ts'
import type { TimeRange } from './search-store.ts'

/** Time limit of a search, and of one statement. */
const BUDGET_MS = 2_500
export const STATEMENT_MS = 2_000
/** Time range of the first statement; it grows while statements take less than `FAST_MS`. */
const FIRST_RANGE_MS = 3_600_000
const FAST_MS = 150

/** Finds up to `limit` hits in a range, in the direction of the search. */
type Find<T> = (range: TimeRange, limit: number, timeout_ms: number) => Promise<T[]>

/**
 * Searches a range of ids in parts, with growing parts while the search is fast, until there are enough hits or the time
 * limit is reached: newest first, or with `upwards` oldest first. `reached` is set if the range was not searched to its
 * end: the rest is below it, or with `upwards` from it on.
 */
export async function searchRange<T>(
  find: Find<T>,
  { from, before }: TimeRange,
  { limit, budget_ms = BUDGET_MS, upwards = false }: { limit: number; budget_ms?: number; upwards?: boolean },
): Promise<{ hits: T[]; reached: string | undefined }> {
  const started = Date.now()
  const hits: T[] = []
  let length_ms = FIRST_RANGE_MS
  let [bottom, top] = [from, before]
  while (top > bottom) {
    const part = upwards
      ? { from: bottom, before: earlier(top, firstIdAt(madeAt(bottom) + Math.ceil(length_ms) + 1)) }
      : { from: later(bottom, firstIdAt(Math.min(madeAt(top), Date.now()) - length_ms)), before: top }
    const part_started = Date.now()
    const left_ms = budget_ms - (part_started - started)
    if (left_ms <= 0) return { hits, reached: upwards ? bottom : top }
    try {
      hits.push(...(await find(part, limit - hits.length, Math.min(STATEMENT_MS, left_ms))))
    } catch (fault) {
      if (codeOf(fault) !== QUERY_CANCELED) throw fault
      length_ms /= 8
      if (length_ms < 1) throw new Refusal('unavailable', 'The search takes too long at the moment.', [], 5)
      continue
    }
    if (hits.length >= limit) return { hits, reached: undefined }
    if (Date.now() - part_started < FAST_MS) length_ms *= 6
    if (upwards) bottom = part.before
    else top = part.from
  }
  return { hits, reached: undefined }
}

export function later(a: string, b: string): string {
  return a > b ? a : b
}

export function earlier(a: string, b: string): string {
  return a < b ? a : b
}
