import type { Channel } from '../carriers/message-carrier.ts'
import type { Db } from '../db/connect.ts'
import { originOfErasable } from '../numbers/prefix-table.ts'
import { REPORT_BOUNDS_S } from '../observe/evidence.ts'
import { startPeriodicJob } from '../values/concurrency/periodic-job.ts'
import type { Log } from '../values/log.ts'
import { sumReportTimes, type ReportTimesRow } from './report-times-store.ts'

export type ReportTimesDeps = {
  db: Db
  log: Log
  carriersOf: (route: string) => readonly string[]
}

/** The first message of a one-time password. */
type FirstMessage = {
  recipient: string
  channel: Channel
  route: string
  /** The longest delay, and the one where too few reports are known. */
  longest_s: number
}

export type ReportTimes = {
  /** Seconds after which the delivery report of a one-time password is late. Executes no statement. */
  lateAfterS(first: FirstMessage): number
  stop(): Promise<void>
}

const INTERVAL_MS = 60_000
/** The figures are no longer read after this time without a one-time password that needs them. */
const UNUSED_AFTER_MS = 3_600_000
const HOURS = 24
/** Carriers by operator and channel, those with the most reports. */
const MAX_ROWS = 50_000

/** A report is late when this share of the reports would have arrived. */
const ON_TIME = 0.95
const MIN_REPORTS = 200
const MIN_DELAY_S = 5

/**
 * How long the delivery reports of one-time passwords take, by the evidence of the last 24 hours. It is read in the
 * background, once a minute from the first one-time password that needs it.
 */
export function startReportTimes({ db, log, carriersOf }: ReportTimesDeps): ReportTimes {
  let known: ReadonlyMap<string, readonly number[]> = NOTHING_KNOWN
  let used_ms = -Infinity

  const isUsed = (): boolean => performance.now() - used_ms < UNUSED_AFTER_MS

  async function read(): Promise<void> {
    if (!isUsed()) known = NOTHING_KNOWN
    else known = new Map((await sumReportTimes(db, HOURS, MAX_ROWS)).map((row) => [keyOf(row), row.report_times]))
  }

  const job = startPeriodicJob(INTERVAL_MS, read, (err) =>
    log.warn({ err }, 'report times could not be read; the delays of one-time passwords stay as they were'),
  )
  return {
    lateAfterS({ recipient, channel, route, longest_s }) {
      const was_used = isUsed()
      used_ms = performance.now()
      if (!was_used) job.run()
      const { country, operator } = originOfErasable(recipient)
      const found = carriersOf(route).flatMap((carrier) => {
        const own = known.get(keyOf({ carrier, country, operator, channel }))
        return own ? [own] : []
      })
      return delayFrom(found, longest_s)
    },
    stop: () => job.stop(),
  }
}

const NOTHING_KNOWN: ReadonlyMap<string, readonly number[]> = new Map()

/** From the report times of several carriers. */
export function delayFrom(report_times: readonly (readonly number[])[], longest_s: number): number {
  const counts = [...REPORT_BOUNDS_S, Infinity].map((_, n) =>
    report_times.reduce((sum, counts_of_one) => sum + (counts_of_one[n] ?? 0), 0),
  )
  const total = counts.reduce((sum, count) => sum + count, 0)
  if (total < MIN_REPORTS) return longest_s
  return Math.min(longest_s, Math.max(MIN_DELAY_S, Math.ceil(timeOf(ON_TIME * total, counts))))
}

/** Seconds within which so many reports arrived, interpolated between the bounds of the counts; beyond them: infinite. */
function timeOf(wanted: number, counts: readonly number[]): number {
  let below = 0
  let from_s = 0
  for (const [n, bound_s] of REPORT_BOUNDS_S.entries()) {
    const own = counts[n] ?? 0
    if (below + own >= wanted) return from_s + ((bound_s - from_s) * (wanted - below)) / own
    below += own
    from_s = bound_s
  }
  return Infinity
}

function keyOf({ carrier, country, operator, channel }: Omit<ReportTimesRow, 'report_times'>): string {
  return `${carrier}\n${channel}\n${country}\n${operator}`
}
