import { firstIdAt, madeAt } from '../../values/id.ts'
import { Refusal } from '../../values/refusal.ts'
import { codeOf } from '../../values/thrown.ts'
import type { TimeRange } from './search-store.ts'

/** All of a request's looking, and one range of it. */
const BUDGET_MS = 2_500
export const STRETCH_MS = 2_000
const FIRST_STRETCH_MS = 3_600_000
const SWIFT_MS = 150
/** SQLSTATE of a statement that took longer than its time-out. */
const GIVEN_UP = '57014'

/** Finds up to `limit` in a range, in the direction of the walk. */
type Look<T> = (range: TimeRange, limit: number, timeout_ms: number) => Promise<T[]>

/**
 * Searches a range of ids stretch by stretch, ever longer ones while it goes swiftly, until there are enough hits or the
 * budget is used up: from the newest down, or with `upwards` from the oldest up. `reached` is how far it came where it
 * did not search everything: the rest is below it, or with `upwards` from it on.
 */
export async function walk<T>(
  look: Look<T>,
  { from, before }: TimeRange,
  { limit, budget_ms = BUDGET_MS, upwards = false }: { limit: number; budget_ms?: number; upwards?: boolean },
): Promise<{ hits: T[]; reached: string | undefined }> {
  const started = Date.now()
  const hits: T[] = []
  let length_ms = FIRST_STRETCH_MS
  let [bottom, top] = [from, before]
  while (top > bottom) {
    const stretch = upwards
      ? { from: bottom, before: earlier(top, firstIdAt(madeAt(bottom) + Math.ceil(length_ms) + 1)) }
      : { from: later(bottom, firstIdAt(Math.min(madeAt(top), Date.now()) - length_ms)), before: top }
    const stretch_started = Date.now()
    const left_ms = budget_ms - (stretch_started - started)
    if (left_ms <= 0) return { hits, reached: upwards ? bottom : top }
    try {
      hits.push(...(await look(stretch, limit - hits.length, Math.min(STRETCH_MS, left_ms))))
    } catch (fault) {
      if (codeOf(fault) !== GIVEN_UP) throw fault
      length_ms /= 8
      if (length_ms < 1) throw new Refusal('unavailable', 'The search takes too long at the moment.', [], 5)
      continue
    }
    if (hits.length >= limit) return { hits, reached: undefined }
    if (Date.now() - stretch_started < SWIFT_MS) length_ms *= 6
    if (upwards) bottom = stretch.before
    else top = stretch.from
  }
  return { hits, reached: undefined }
}

export function later(a: string, b: string): string {
  return a > b ? a : b
}

export function earlier(a: string, b: string): string {
  return a < b ? a : b
}
