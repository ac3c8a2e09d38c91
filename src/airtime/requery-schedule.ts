/** When to ask a vendor again, and when to stop asking. */
export type RequerySchedule = {
  /** Pauses before the first, second, … question; the last of them repeats. */
  delays_s: readonly number[]
  /** Asked for the last time this long after the first call; then the operator decides. */
  review_after_s: number
}

/**
 * Seconds until the next question, or undefined when the time to ask is over. `asked` counts the questions so far,
 * `age_s` is the time since the vendor was first called; a vendor's own wish goes before the schedule.
 */
export function requeryDelay(
  { delays_s, review_after_s }: RequerySchedule,
  asked: number,
  age_s: number,
  wish_s?: number,
): number | undefined {
  const left_s = review_after_s - age_s
  if (left_s <= 0) return undefined
  const delay_s = wish_s ?? delays_s[Math.min(asked, delays_s.length - 1)] ?? review_after_s
  return Math.min(delay_s, left_s)
}
