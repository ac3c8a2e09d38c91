export type TokenBucket = {
  /** Takes `count` tokens if at least one is left; a larger count leaves a debt that later calls wait for. */
  take(count?: number): boolean
  /** Whether one token could be taken now. */
  has(): boolean
  /** Milliseconds until one token is available; 0: now. */
  waitMs(): number
  /** Changes the refill rate, for example to this process's share of it. */
  setRate(rate_per_s: number): void
}

/** Refills `rate_per_s` tokens per second, up to `burst` (one second's worth unless given, at least one token). */
export function makeTokenBucket(
  { rate_per_s, burst }: { rate_per_s: number; burst?: number },
  now: () => number = () => performance.now(),
): TokenBucket {
  let rate = rate_per_s
  let tokens = Math.max(1, burst ?? rate)
  let refilled_at = now()

  function has(): boolean {
    const moment = now()
    tokens = Math.min(Math.max(1, burst ?? rate), tokens + ((moment - refilled_at) / 1_000) * rate)
    refilled_at = moment
    return tokens >= 1
  }

  return {
    has,
    take(count = 1) {
      if (!has()) return false
      tokens -= count
      return true
    },
    waitMs: () => (has() ? 0 : Math.ceil(((1 - tokens) * 1_000) / rate)),
    setRate(new_rate_per_s) {
      has()
      rate = new_rate_per_s
    },
  }
}
