/** So many a second, and as many at once after a second's rest. */
export type Bucket = {
  /** False: that is too much. Where there is one left, more are taken at a time and paid off before the next. */
  take(count?: number): boolean
  /** What of the rate is this process's. */
  share(part: number): void
}

export function makeBucket(rate_per_s: number, now: () => number = () => performance.now()): Bucket {
  let rate = rate_per_s
  let tokens = rate
  let last = now()
  return {
    take(count = 1) {
      const moment = now()
      tokens = Math.min(Math.max(1, rate), tokens + ((moment - last) / 1_000) * rate)
      last = moment
      if (tokens < 1) return false
      tokens -= count
      return true
    },
    share(part) {
      rate = rate_per_s * part
    },
  }
}
