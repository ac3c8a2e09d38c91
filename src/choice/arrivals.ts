import { REPORT_BOUNDS_S } from '../observe/evidence.ts'

/** How long the reports of a carrier take, from the times of those that have arrived; older ones weigh less. */
export type Arrivals = {
  add(report_times: readonly number[], weight: number): void
  decay(left: number): void
  /** Share of the reports that arrive within a time of at most half an hour. */
  within(age_ms: number): number
  /** Share of the reports that take longer than all times that are remembered. */
  late(): number
  /** How many of the bounds of `REPORT_BOUNDS_S` it takes for most reports. */
  most(): number
}

/** Reports that arrive later are expected at a constant rate. */
export const REMEMBERED_MS = 1_800_000
const STEP_MS = 1_000
const STEPS = REMEMBERED_MS / STEP_MS
/** Changes after which the table is computed again. */
const RENEWED_AFTER = 30
/** What counts as most. */
const MOST = 0.7

export function makeArrivals(): Arrivals {
  const counts = new Float64Array(REPORT_BOUNDS_S.length + 1)
  const table = new Float64Array(STEPS + 1)
  let changes = RENEWED_AFTER
  let most = 0

  /** The share by the second; within a bound of the counts it rises linearly. */
  function renew(): void {
    changes = 0
    const total = counts.reduce((sum, count) => sum + count, 0)
    let below = 0
    let from_s = 0
    let step = 0
    most = 0
    for (const [n, bound_s] of REPORT_BOUNDS_S.entries()) {
      const own = total > 0 ? counts[n]! / total : 0
      for (; step <= STEPS && step * (STEP_MS / 1_000) <= bound_s; step++) {
        table[step] = below + (own * (step * (STEP_MS / 1_000) - from_s)) / (bound_s - from_s)
      }
      below += own
      if (below >= MOST && most === 0) most = n + 1
      from_s = bound_s
    }
    table.fill(below, step)
  }

  return {
    add(report_times, weight) {
      for (let n = 0; n < counts.length; n++) counts[n]! += weight * (report_times[n] ?? 0)
      changes += 1
    },
    decay(left) {
      for (let n = 0; n < counts.length; n++) counts[n]! *= left
    },
    within(age_ms) {
      if (age_ms <= 0) return 0
      if (changes >= RENEWED_AFTER) renew()
      const at = age_ms / STEP_MS
      if (at >= STEPS) return table[STEPS]!
      const step = Math.floor(at)
      return table[step]! + (at - step) * (table[step + 1]! - table[step]!)
    },
    late() {
      if (changes >= RENEWED_AFTER) renew()
      return 1 - table[STEPS]!
    },
    most() {
      if (changes >= RENEWED_AFTER) renew()
      return most === 0 ? REPORT_BOUNDS_S.length : most
    },
  }
}
