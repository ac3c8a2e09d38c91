/** Pauses after the first, second, … try. After the last of them every further pause is `HOURLY_S`. */
const RETRY_DELAYS_S = [5, 60, 300, 1_800] as const
const HOURLY_S = 3_600
/** No try starts later than this after the first one. */
export const RETRY_LIMIT_S = 24 * 3_600
/** Spread, so that the callbacks of one campaign do not all come back to a recovering endpoint in the same second. */
const JITTER = 0.2

/**
 * Seconds to wait after a failed try, or undefined when the callback is given up.
 *
 * `attempts_made` counts the tries so far (1 after the first), `age_s` is the time since the first of them.
 * Given up means: the next pause of the schedule, without jitter, would end more than 24 hours after the first try.
 * So chance moves a try, but never decides whether there is one; and the jitter is cut off at the 24 hours.
 * A try that always fails at once is made 28 times: 4 short pauses, then 23 hours.
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
