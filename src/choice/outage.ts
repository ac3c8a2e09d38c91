import { makeReportTest, type ReportTest } from './report-test.ts'
import { REJECTIONS } from '../observe/evidence.ts'
import { makeBoundedCache } from '../values/concurrency/bounded-cache.ts'

/** The part of a row of evidence that shows whether a carrier delivers. */
type Counted = {
  carrier: string
  country: string
  operator: string
  channel: string
  submitted: number
  delivered: number
  undelivered: number
  rejections: readonly number[]
  report_times: readonly number[]
}

/** Which carriers do not deliver at present: reports are missing that their own history predicts. */
export type Outages = {
  /** Of a carrier; the same object as long as the process runs. */
  of(carrier: string): { readonly is_out: boolean }
  /** Whether a message may be sent to a carrier that is out, to see whether it delivers again. Counts it as sent. */
  mayProbe(carrier: string): boolean
  /** History, with its age. Only the first call has an effect. */
  seed(history: readonly (Counted & { age_ms: number })[]): void
  /** What was counted since the last call. Without any count no time has passed: the counts may be late. */
  add(counted: readonly Counted[]): void
  /** Carriers that were seen, with the time since when they are out. */
  list(): { carrier: string; out_since_ms: number | undefined }[]
}

const HALF_LIFE_MS = 3_600_000
const MAX_CARRIERS = 1_000
/** Combinations of carrier, operator and channel whose share of reports is known apart. */
const MAX_SHARES = 20_000
/** Messages below which an operator's share of reports is that of the carrier. */
const LEAST_SENT = 50
/** Reports, after decay, below which a carrier has no history. */
const LEAST_REPORTS = 50
const FIRST_PROBE_MS = 2_000
const LONGEST_PROBE_MS = 30_000
const PROBE_GROWTH = 1.5

const TEMPORARY = REJECTIONS.indexOf('temporary')
const UNANSWERED = REJECTIONS.indexOf('unanswered')

type Share = { sent: number; reports: number; at_ms: number }
type Watched = {
  carrier: string
  is_out: boolean
  out_since_ms: number | undefined
  total: Share
  test: ReportTest
  next_probe_ms: number
  probe_interval_ms: number
}
type Interval = { sent: number; rejected: number; reports: number; report_times: number[] }

export function makeOutages(clock: () => number): Outages {
  const carriers = new Map<string, Watched>()
  const shares = makeBoundedCache<string, Share>(MAX_SHARES)
  let is_seeded = false
  let counted_ms = clock()

  function watched(carrier: string): Watched {
    let own = carriers.get(carrier)
    if (!own) {
      own = {
        carrier,
        is_out: false,
        out_since_ms: undefined,
        total: { sent: 0, reports: 0, at_ms: clock() },
        test: makeReportTest(counted_ms),
        next_probe_ms: 0,
        probe_interval_ms: FIRST_PROBE_MS,
      }
      if (carriers.size < MAX_CARRIERS) carriers.set(carrier, own)
    }
    return own
  }

  function shareAt({ carrier, country, operator, channel }: Counted): Share {
    const key = `${carrier}\n${country}\n${operator}\n${channel}`
    let own = shares.get(key)
    if (!own) shares.set(key, (own = { sent: 0, reports: 0, at_ms: clock() }))
    return own
  }

  /** Adds to the history; returns the share of messages that are reported. */
  function learn(one: Counted, age_ms: number): number {
    const { total, test } = watched(one.carrier)
    const own = shareAt(one)
    const weight = 0.5 ** (age_ms / HALF_LIFE_MS)
    for (const share of [total, own]) {
      decay(share, clock())
      share.sent += weight * one.submitted
      share.reports += weight * (one.delivered + one.undelivered)
    }
    test.learn(one.report_times, weight)
    return shareOf(own.sent >= LEAST_SENT ? own : total)
  }

  function judge(one: Watched, interval: Interval): void {
    const now_ms = clock()
    const has_history = one.total.reports >= LEAST_REPORTS
    const verdict = one.test.add(now_ms, interval, has_history)
    if (verdict === 'out') {
      one.is_out = true
      one.out_since_ms = now_ms
      one.next_probe_ms = now_ms
      one.probe_interval_ms = FIRST_PROBE_MS
    } else if (verdict === 'back') {
      one.is_out = false
      one.out_since_ms = undefined
    } else if (one.is_out && one.test.is_promising) {
      one.probe_interval_ms = FIRST_PROBE_MS
      one.next_probe_ms = Math.min(one.next_probe_ms, now_ms + FIRST_PROBE_MS)
    }
  }

  return {
    of: watched,
    mayProbe(carrier) {
      const own = watched(carrier)
      const now_ms = clock()
      if (!own.is_out || now_ms < own.next_probe_ms) return false
      own.next_probe_ms = now_ms + own.probe_interval_ms
      own.probe_interval_ms = Math.min(LONGEST_PROBE_MS, own.probe_interval_ms * PROBE_GROWTH)
      return true
    },
    seed(history) {
      if (is_seeded) return
      is_seeded = true
      for (const one of history) learn(one, one.age_ms)
    },
    add(counted) {
      if (counted.length === 0) return
      const left = 0.5 ** (Math.max(0, clock() - counted_ms) / HALF_LIFE_MS)
      counted_ms = clock()
      const intervals = new Map<Watched, Interval>()
      for (const one of counted) {
        const own = watched(one.carrier)
        const share = learn(one, 0)
        let interval = intervals.get(own)
        if (!interval) intervals.set(own, (interval = { sent: 0, rejected: 0, reports: 0, report_times: [] }))
        interval.sent += share * Math.max(0, one.submitted)
        interval.rejected += share * ((one.rejections[TEMPORARY] ?? 0) + (one.rejections[UNANSWERED] ?? 0))
        interval.reports += one.delivered + one.undelivered
        for (const [n, count] of one.report_times.entries()) {
          interval.report_times[n] = (interval.report_times[n] ?? 0) + count
        }
      }
      for (const own of carriers.values()) {
        own.test.decay(left)
        judge(own, intervals.get(own) ?? NOTHING)
      }
    },
    list: () => [...carriers.values()].map(({ carrier, out_since_ms }) => ({ carrier, out_since_ms })),
  }
}

const NOTHING: Interval = { sent: 0, rejected: 0, reports: 0, report_times: [] }

function decay(share: Share, now_ms: number): void {
  const left = 0.5 ** (Math.max(0, now_ms - share.at_ms) / HALF_LIFE_MS)
  share.sent *= left
  share.reports *= left
  share.at_ms = now_ms
}

function shareOf({ sent, reports }: Share): number {
  return sent > 0 ? Math.min(1, Math.max(0, reports / sent)) : 0
}
