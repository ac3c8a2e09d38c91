import { REPORT_BOUNDS_S } from '../observe/evidence.ts'
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
    interval: { sent: number; rejected: number; reports: number; report_times: readonly number[] },
    has_history: boolean,
  ): 'out' | 'back' | undefined
  /** While out: a message sent since then was reported. */
  readonly is_promising: boolean
}

/** The sums that change the state; e^14 intervals pass between two false alarms, if reports vary by chance only. */
const OUT_AT = 14
const BACK_AT = 4
const MAX_STEP = 1.7
const MAX_STEP_BACK = 1.5
/** A carrier is also back when this share of the reports that were missing has arrived, and at least so many reports. */
const ARRIVED_LATE = 0.5
const LEAST_LATE = 10
const SLOT_MS = 2_000
const SLOTS = REMEMBERED_MS / SLOT_MS
/** Reports that arrive unexpectedly in an interval; also keeps the ratio of two rates finite. */
const UNEXPECTED = 0.02
/** More reports than expected are late ones only above this share of what was expected. */
const USUAL_EXCESS = 0.25
/** Variance, in multiples of the mean: assumed at first with this weight, and believed up to this much. */
const PRIOR_WEIGHT = 200
const MAX_DISPERSION = 2.5
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
  /** Expected reports of the messages since the outage began, and those that have arrived. */
  let missing = 0
  let late = 0
  const expected = { all: 0, quick: 0, quick_before: 0 }
  const deviations = { squared: PRIOR_WEIGHT, expected: PRIOR_WEIGHT }

  function advance(to: number): void {
    for (let passed = Math.min(to - slot, SLOTS); passed > 0; passed--) {
      const at = (to - passed + 1) % SLOTS
      sent[at] = 0
      sent_since[at] = 0
    }
    slot = Math.max(slot, to)
  }

  /** Reports that the messages lead to expect between the last interval and now, and those of them as fast as most are. */
  function expect(now_ms: number): void {
    expected.all = 0
    expected.quick = 0
    expected.quick_before = 0
    let total = 0
    let at = slot % SLOTS
    const quick_ms = quickMs()
    for (let back = 0; back < SLOTS; back++) {
      const [old, young] = [sent[at]!, sent_since[at]!]
      at = at === 0 ? SLOTS - 1 : at - 1
      if (old === 0 && young === 0) continue
      const sent_ms = (slot - back) * SLOT_MS + SLOT_MS / 2
      const [age_ms, before_ms] = [now_ms - sent_ms, last_ms - sent_ms]
      const already = arrivals.within(before_ms)
      expected.all += (old + young) * (arrivals.within(age_ms) - already)
      if (before_ms < quick_ms) {
        const quick = arrivals.within(Math.min(age_ms, quick_ms)) - already
        expected.quick += young * quick
        expected.quick_before += old * quick
      }
      total += old + young
    }
    // Reports that take longer than is remembered arrive at a constant rate.
    expected.all += (total * arrivals.late() * (now_ms - last_ms)) / REMEMBERED_MS
  }

  function quickMs(): number {
    return Math.min(REMEMBERED_MS, (REPORT_BOUNDS_S[arrivals.most() - 1] ?? Infinity) * 1_000)
  }

  function quickOf(report_times: readonly number[]): number {
    let quick = 0
    for (let n = 0; n < arrivals.most(); n++) quick += report_times[n] ?? 0
    return quick
  }

  function dispersionOf(): number {
    return Math.min(MAX_DISPERSION, Math.max(1, deviations.squared / deviations.expected))
  }

  function addWhileUp(now_ms: number, due: number, reports: number): 'out' | undefined {
    const step = (due / 2 - Math.LN2 * reports) / dispersionOf()
    sum = Math.max(0, sum + Math.min(MAX_STEP, step))
    deviations.squared += Math.min((reports - due) ** 2, MAX_DEVIATION * due)
    deviations.expected += due
    missing = sum === 0 ? 0 : missing + Math.max(0, due - reports)
    if (sum === 0) onset_ms = now_ms
    if (sum < OUT_AT) return undefined
    is_out = true
    sum = 0
    late = 0
    // Of what was sent since the outage began, half may still be reported.
    const lost = Math.min(SLOTS, slot - Math.floor(onset_ms / SLOT_MS))
    for (let back = 0; back < lost; back++) sent[(slot - back + SLOTS) % SLOTS]! /= 2
    return 'out'
  }

  /** Soon after the outage began, the fast reports can only be of messages sent since then. */
  function addWhileOut(reports: number, quick: number): 'back' | undefined {
    const half = expected.quick_before + expected.quick / 2 + UNEXPECTED
    const full = expected.quick_before + expected.quick + UNEXPECTED
    sum = Math.max(0, sum + Math.min(MAX_STEP_BACK, quick * Math.log(full / half) - (full - half)))
    late = Math.max(0, late + reports - expected.all * (1 + USUAL_EXCESS))
    if (sum < BACK_AT && late < Math.max(LEAST_LATE, ARRIVED_LATE * missing)) return undefined
    is_out = false
    sum = 0
    missing = 0
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
      expect(now_ms)
      last_ms = now_ms
      if (!is_out) {
        return has_history ? addWhileUp(now_ms, expected.all + interval.rejected, interval.reports) : undefined
      }
      expected.quick += interval.rejected
      return addWhileOut(interval.reports, quickOf(interval.report_times))
    },
  }
}
