/** Delays after the first, second, … attempt; after these, `HOURLY_S`. */
const RETRY_DELAYS_S = [5, 60, 300, 1_800] as const
const HOURLY_S = 3_600
/** No attempt starts later than this after the first one. */
export const RETRY_LIMIT_S = 24 * 3_600
/** So that the callbacks of one campaign do not all reach a recovering endpoint in the same second. */
const JITTER = 0.2

/**
 * Seconds to wait after a failed attempt, or undefined when the callback is given up.
 *
 * `attempts_made` counts the attempts so far (1 after the first), `age_s` is the time since the first of them. A callback is
 * given up when the next delay, without jitter, would end more than 24 hours after the first attempt: jitter moves an
 * attempt, but never decides whether there is one. An endpoint that always fails immediately gets 28 attempts: after 4 short
 * delays, one per hour.
 */
export function retryDelay(
  attempts_made: number,
  age_s: number,
  random: () => number = Math.random,
): number | undefined {
  if (!Number.isInteger(attempts_made) || attempts_made < 1) {
    throw new RangeError(`There is no retry after ${attempts_made} attempts`)
  }
  const delay_s = RETRY_DELAYS_S[attempts_made - 1] ?? HOURLY_S
  const left_s = RETRY_LIMIT_S - age_s
  if (delay_s > left_s) return undefined
  const jittered_s = delay_s * (1 - JITTER + 2 * JITTER * random())
  return Math.min(jittered_s, left_s)
}
