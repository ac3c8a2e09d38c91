import { makeArrivals, REMEMBERED_MS } from './arrivals.ts'

/**
 * A sequential test on the reports of one carrier. States: up → out, when too many reports are missing; out → up, when the
 * reports of the messages sent since then arrive as expected.
 *
 * Each interval compares the reports that arrived with those that the messages of the last half hour lead to expect. The
 * logarithm of the likelihood ratio of half the rate against the full rate (Poisson) is summed up and never below zero
 * (CUSUM); an interval counts at most `MAX_STEP`, so that one pause of a busy carrier proves nothing. Reports that vary more
 * than by chance count less.
 */
export type ReportTest = {
  learn(report_times: readonly number[], weight: number): void
  decay(left: number): void
  /** `sent` and `rejected` are multiplied by the share of messages that are reported. */
  add(
    now_ms: number,
    interval: { sent: number; rejected: number; reports: number },
    has_history: boolean,
  ): 'out' | 'back' | undefined
  /** While out: a message sent since then was reported. */
  readonly is_promising: boolean
}

/** The sums that change the state; e^30 intervals pass between two false alarms, if reports vary by chance only. */
const OUT_AT = 30
const BACK_AT = 3
const MAX_STEP = 3
const MAX_STEP_BACK = 1.5
const SLOT_MS = 2_000
const SLOTS = REMEMBERED_MS / SLOT_MS
/** Reports that arrive unexpectedly in an interval, such as very late ones. */
const UNEXPECTED = 0.25
/** Variance, in multiples of the mean: assumed at first with this weight, and believed up to this much. */
const PRIOR_WEIGHT = 200
const MAX_DISPERSION = 4
/** A single interval counts at most this many squared deviations, in multiples of its mean. */
const MAX_DEVIATION = 10

export function makeReportTest(started_ms: number): ReportTest {
  const arrivals = makeArrivals()
  /** Messages whose report is expected, by the time they were sent: before an outage, and since then. */
  const sent = new Float64Array(SLOTS)
  const sent_since = new Float64Array(SLOTS)
  let slot = Math.floor(started_ms / SLOT_MS)
  let last_ms = started_ms
  let is_out = false
  let sum = 0
  let onset_ms = started_ms
  const deviations = { squared: PRIOR_WEIGHT, expected: PRIOR_WEIGHT }

  function advance(to: number): void {
    for (let passed = Math.min(to - slot, SLOTS); passed > 0; passed--) {
      const at = (to - passed + 1) % SLOTS
      sent[at] = 0
      sent_since[at] = 0
    }
    slot = Math.max(slot, to)
  }

  /** Reports that these messages lead to expect between the last interval and now. */
  function expectedOf(messages: Float64Array, now_ms: number): number {
    let expected = 0
    for (let back = 0; back < SLOTS; back++) {
      const count = messages[(slot - back + SLOTS) % SLOTS]!
      if (count === 0) continue
      const sent_ms = (slot - back) * SLOT_MS + SLOT_MS / 2
      expected += count * (arrivals.within(now_ms - sent_ms) - arrivals.within(last_ms - sent_ms))
    }
    return expected
  }

  /** Reports that take longer than is remembered arrive at a constant rate. */
  function lateOf(messages: Float64Array, passed_ms: number): number {
    let all = 0
    for (let n = 0; n < SLOTS; n++) all += messages[n]!
    return (all * arrivals.late() * passed_ms) / REMEMBERED_MS
  }

  function dispersionOf(): number {
    return Math.min(MAX_DISPERSION, Math.max(1, deviations.squared / deviations.expected))
  }

  function addWhileUp(now_ms: number, expected: number, reports: number): 'out' | undefined {
    const step = (expected / 2 - Math.LN2 * reports) / dispersionOf()
    sum = Math.max(0, sum + Math.min(MAX_STEP, step))
    deviations.squared += Math.min((reports - expected) ** 2, MAX_DEVIATION * expected)
    deviations.expected += expected
    if (sum === 0) onset_ms = now_ms
    if (sum < OUT_AT) return undefined
    is_out = true
    sum = 0
    // What was sent since the outage began is lost, or reported late.
    const lost = Math.min(SLOTS, slot - Math.floor(onset_ms / SLOT_MS))
    for (let back = 0; back < lost; back++) sent[(slot - back + SLOTS) % SLOTS] = 0
    return 'out'
  }

  function addWhileOut(before: number, since: number, reports: number): 'back' | undefined {
    const [half, full] = [before + since / 2 + UNEXPECTED, before + since + 2 * UNEXPECTED]
    const step = reports * Math.log(full / half) - (full - half)
    sum = Math.max(0, sum + Math.min(MAX_STEP_BACK, step))
    if (sum < BACK_AT) return undefined
    is_out = false
    sum = 0
    for (let n = 0; n < SLOTS; n++) sent[n]! += sent_since[n]!
    sent_since.fill(0)
    return 'back'
  }

  return {
    learn: (report_times, weight) => arrivals.add(report_times, weight),
    decay(left) {
      arrivals.decay(left)
      deviations.squared = 1 + Math.max(0, deviations.squared - 1) * left
      deviations.expected = 1 + Math.max(0, deviations.expected - 1) * left
    },
    get is_promising() {
      return is_out && sum > 0
    },
    add(now_ms, interval, has_history) {
      const middle_ms = (last_ms + now_ms) / 2
      advance(Math.floor(middle_ms / SLOT_MS))
      const own = is_out ? sent_since : sent
      own[slot % SLOTS]! += interval.sent
      const before = expectedOf(sent, now_ms) + lateOf(sent, now_ms - last_ms)
      const since = is_out ? expectedOf(sent_since, now_ms) + interval.rejected : 0
      last_ms = now_ms
      if (is_out) return addWhileOut(before, since, interval.reports)
      if (!has_history) return undefined
      return addWhileUp(now_ms, before + interval.rejected, interval.reports)
    },
  }
}
