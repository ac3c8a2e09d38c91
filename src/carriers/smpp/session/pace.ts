import { makeTokenBucket, type TokenBucket } from '../../../values/concurrency/token-bucket.ts'

export type Pace = {
  /** 0: taken, send it. Otherwise nothing was taken; ask again after this many milliseconds. */
  take(segments: number): number
  /** The SMSC answered RTHROTTLED to what was sent at `sent_at`. */
  throttled(sent_at: number): void
  accepted(sent_at: number): void
  /** Milliseconds until the pause after throttling ends; 0: not paused. */
  pausedFor(): number
  /** Segments per second at present; null: unlimited. */
  readonly rate: number | null
}

const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 30_000
/** SMSCs count by the clock second: a burst of a full second's worth could make it twice the contract rate. */
const BURST_S = 0.1
/** Seconds without throttling until the rate has grown by the contract rate. */
const RECOVERY_S = 20
const MIN_STEP = 0.5

/**
 * The submit rate of a bind, in segments per second. RTHROTTLED halves the rate and pauses the bind, first for a second,
 * then for longer while nothing is accepted; after that the rate grows back every second. Without a contract rate there is
 * no limit until the SMSC throttles.
 */
export function makePace(contract_rate: number | null, now: () => number = () => performance.now()): Pace {
  let rate = contract_rate
  let bucket: TokenBucket | undefined
  let paused_until = 0
  let pause_ms = FIRST_PAUSE_MS
  let resumes = false
  let throttled_at = -Infinity
  let step = 0
  let grown_at = 0
  /** Segments sent in this second and in the one before: without a contract rate, this is the rate to halve. */
  const sent = { second: 0, count: 0, before: 0 }
  if (rate !== null) setRate(rate)

  function setRate(next: number): void {
    rate = next
    if (bucket) bucket.setRate(next)
    else bucket = makeTokenBucket({ rate_per_s: next, burst_s: BURST_S }, now)
  }

  function pausedFor(): number {
    return Math.max(0, paused_until - now())
  }

  function take(segments: number): number {
    if (pausedFor() > 0) return pausedFor()
    if (resumes) bucket?.empty()
    resumes = false
    grow()
    // A payload of many segments is sent with the first token and leaves a debt.
    if (bucket && !bucket.take(segments)) return bucket.waitMs()
    count(segments)
    return 0
  }

  function grow(): void {
    if (step === 0 || rate === null) return
    const seconds = Math.floor((now() - grown_at) / 1_000)
    if (seconds < 1) return
    grown_at += seconds * 1_000
    const grown = rate + step * seconds
    if (contract_rate !== null && grown >= contract_rate) step = 0
    setRate(Math.min(grown, contract_rate ?? Infinity))
  }

  function count(segments: number): void {
    const second = Math.floor(now() / 1_000)
    if (second !== sent.second) {
      sent.before = second === sent.second + 1 ? sent.count : 0
      sent.second = second
      sent.count = 0
    }
    sent.count += segments
  }

  return {
    take,
    throttled(sent_at) {
      if (sent_at <= throttled_at) return // the rest of the same window: one event, not a hundred
      throttled_at = now()
      setRate(Math.max(1, (rate ?? Math.max(sent.count, sent.before)) / 2))
      step = Math.max(MIN_STEP, (contract_rate ?? (rate ?? 0) * 2) / RECOVERY_S)
      paused_until = throttled_at + pause_ms
      grown_at = paused_until
      resumes = true
      pause_ms = Math.min(pause_ms * 2, LONGEST_PAUSE_MS)
    },
    accepted(sent_at) {
      if (sent_at > throttled_at) pause_ms = FIRST_PAUSE_MS
    },
    pausedFor,
    get rate() {
      return rate
    },
  }
}
