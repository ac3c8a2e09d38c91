/**
 * How fast a bind may send: a token bucket that counts segments, and gives way when the SMSC says it is too much. Pure:
 * the time is told, in milliseconds. Being throttled halves the rate and pauses, first for a second, then longer while
 * nothing gets through; quiet seconds bring the rate back bit by bit.
 */
export function makePace(contract_rate: number | null): Pace {
  let rate = contract_rate
  let tokens = 1
  let refilled_at = 0
  let paused_until = 0
  let pause_ms = FIRST_PAUSE_MS
  let throttled_at = -Infinity
  let step = 0
  let grown_at = 0
  // What was really sent in this second and the one before: where no rate is agreed, it is what must be halved.
  const sent = { second: 0, count: 0, before: 0 }

  function take(segments: number, now: number): number {
    if (now < paused_until) return paused_until - now
    grow(now)
    if (rate !== null) {
      const room = Math.max(1, rate / BURSTS_PER_SECOND)
      tokens = Math.min(room, tokens + ((now - refilled_at) * rate) / 1_000)
      refilled_at = now
      if (tokens < 1) return Math.ceil(((1 - tokens) * 1_000) / rate)
      // A payload of many segments goes when its first may, and leaves a debt.
      tokens -= segments
    }
    count(segments, now)
    return 0
  }

  function grow(now: number): void {
    if (step === 0 || rate === null) return
    const seconds = Math.floor((now - grown_at) / 1_000)
    if (seconds < 1) return
    grown_at += seconds * 1_000
    rate += step * seconds
    if (contract_rate !== null && rate >= contract_rate) {
      rate = contract_rate
      step = 0
    }
  }

  function count(segments: number, now: number): void {
    const second = Math.floor(now / 1_000)
    if (second !== sent.second) {
      sent.before = second === sent.second + 1 ? sent.count : 0
      sent.second = second
      sent.count = 0
    }
    sent.count += segments
  }

  function throttled(sent_at: number, now: number): void {
    // A window full of refusals is one message to us, not a hundred.
    if (sent_at <= throttled_at) return
    throttled_at = now
    rate = Math.max(1, (rate ?? Math.max(sent.count, sent.before)) / 2)
    step = Math.max(MIN_STEP, (contract_rate ?? rate * 2) / STEPS)
    paused_until = now + pause_ms
    grown_at = paused_until
    pause_ms = Math.min(pause_ms * 2, LONGEST_PAUSE_MS)
    tokens = 0
    refilled_at = paused_until
  }

  function accepted(sent_at: number): void {
    if (sent_at > throttled_at) pause_ms = FIRST_PAUSE_MS
  }

  return {
    take,
    throttled,
    accepted,
    pausedFor: (now) => Math.max(0, paused_until - now),
    get rate() {
      return rate
    },
  }
}

export type Pace = {
  /** 0: taken, send it. Otherwise the milliseconds after which to ask again; nothing is taken. */
  take(segments: number, now: number): number
  /** What was sent at `sent_at` came back as too much. */
  throttled(sent_at: number, now: number): void
  accepted(sent_at: number): void
  /** Milliseconds until anything may go again after it was too much; 0 when it is not paused. */
  pausedFor(now: number): number
  /** Segments per second at present, null: no limit. */
  readonly rate: number | null
}

const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 30_000
/** A tenth of a second's worth may go at once: SMSCs count by the second, and a second's worth at once would be twice that. */
const BURSTS_PER_SECOND = 10
/** Quiet seconds from nothing to the whole rate. */
const STEPS = 20
const MIN_STEP = 0.5
