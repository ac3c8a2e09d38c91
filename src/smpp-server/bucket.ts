/** So many a second, and as many at once after a second's rest. */
export type Bucket = {
  /** False: that is too much. Where there is one left, more are taken at a time and paid off before the next. */
  take(count?: number): boolean
  /** Whether one could be taken now. */
  has(): boolean
  /** What of the rate is this process's. */
  share(part: number): void
}

export function makeBucket(rate_per_s: number, now: () => number = () => performance.now()): Bucket {
  let rate = rate_per_s
  let tokens = rate
  let last = now()

  function has(): boolean {
    const moment = now()
    tokens = Math.min(Math.max(1, rate), tokens + ((moment - last) / 1_000) * rate)
    last = moment
    return tokens >= 1
  }

  return {
    has,
    take(count = 1) {
      if (!has()) return false
      tokens -= count
      return true
    },
    share(part) {
      rate = rate_per_s * part
    },
  }
}
