export type TokenBucket = {
  /** Takes `count` tokens if at least one is left; a larger count leaves a debt that later calls wait for. */
  take(count?: number): boolean
  /** Waits until `take(count)` succeeds; callers are served in the order of arrival. */
  acquire(count?: number): Promise<void>
  /** Whether one token could be taken now. */
  has(): boolean
  /** Milliseconds until one token is available; 0: now. */
  waitMs(): number
  /** Removes all tokens. */
  empty(): void
  /** Changes the refill rate, for example to this process's share of it. */
  setRate(rate_per_s: number): void
}

/** Refills `rate_per_s` tokens per second, up to `burst` (`burst_s` seconds' worth unless given, at least one token). */
export function makeTokenBucket(
  { rate_per_s, burst, burst_s = 1 }: { rate_per_s: number; burst?: number; burst_s?: number },
  now: () => number = () => performance.now(),
): TokenBucket {
  let rate = rate_per_s
  const limit = (): number => Math.max(1, burst ?? rate * burst_s)
  let tokens = limit()
  let refilled_at = now()
  let last_acquired: Promise<void> = Promise.resolve()

  function has(): boolean {
    const moment = now()
    tokens = Math.min(limit(), tokens + ((moment - refilled_at) / 1_000) * rate)
    refilled_at = moment
    return tokens >= 1
  }

  function take(count = 1): boolean {
    if (!has()) return false
    tokens -= count
    return true
  }

  function waitMs(): number {
    return has() ? 0 : Math.ceil(((1 - tokens) * 1_000) / rate)
  }

  async function waitToTake(count: number): Promise<void> {
    while (!take(count)) await new Promise((resolve) => setTimeout(resolve, waitMs()))
  }

  return {
    take,
    acquire(count = 1) {
      last_acquired = last_acquired.then(() => waitToTake(count))
      return last_acquired
    },
    has,
    waitMs,
    empty() {
      has()
      tokens = 0
    },
    setRate(new_rate_per_s) {
      has()
      rate = new_rate_per_s
    },
  }
}
