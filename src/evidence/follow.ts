import type { Delta, Knowledge } from '../choice/knowledge.ts'
import type { Db } from '../db/connect.ts'
import type { Meters } from '../observe/meters.ts'
import { startPeriodicJob } from '../values/concurrency/periodic-job.ts'
import type { Log } from '../values/log.ts'
import { readHonesty } from './honesty.ts'
import { EVIDENCE_DAYS } from './schema.ts'
import { readChanged, readHistory, type Followed } from './store.ts'

export type FollowDeps = {
  db: Db
  log: Log
  meters: Pick<Meters, 'carrier_out' | 'carrier_honesty'>
  knowledge: Knowledge
  /** Whether a route chooses by what is known. Otherwise nothing is read. */
  isWanted: () => boolean
}

const INTERVAL_MS = 2_000
const HONESTY_INTERVAL_MS = 300_000
/** Messages that were accepted earlier change nothing any more. */
const FOLLOWED_HOURS = 3
/** A transaction commits a while after the time that it writes; what is read twice changes nothing. */
const OVERLAP_S = 10
/** What was counted so many half-lives ago no longer matters. */
const HALF_LIVES = 6
const MAX_ROWS = 100_000
const HOUR_MS = 3_600_000

/**
 * Keeps the knowledge of a process up to date: with the history at the start, and every two seconds with the rows of the
 * table that any process has changed.
 */
export function startFollowing({ db, log, meters, knowledge, isWanted }: FollowDeps): { stop(): Promise<void> } {
  /** The rows of the last hours as they were last read. */
  let known: Map<string, Followed> | undefined
  let read_ms = 0
  let honesty_ms = -Infinity

  async function readAll(): Promise<void> {
    const hours = Math.ceil((HALF_LIVES * knowledge.half_life_ms) / HOUR_MS) + 1
    const history = await readHistory(db, Math.min(Math.max(hours, FOLLOWED_HOURS), 24 * EVIDENCE_DAYS), MAX_ROWS)
    const now_ms = Date.now()
    knowledge.seed(history.map((row) => ({ ...row, age_ms: ageOf(row, now_ms) })))
    if (known) return
    known = new Map()
    for (const row of history) if (isFollowed(row, now_ms)) known.set(keyOf(row), row)
  }

  async function follow(rows_before: Map<string, Followed>): Promise<void> {
    const started_ms = performance.now()
    const within_s = (started_ms - read_ms) / 1_000 + OVERLAP_S
    const changed = await readChanged(db, FOLLOWED_HOURS, within_s, MAX_ROWS)
    read_ms = started_ms
    const deltas: Delta[] = []
    for (const row of changed) {
      const before = rows_before.get(keyOf(row))
      if (!before || isChanged(row, before)) deltas.push(before ? differenceOf(row, before) : row)
      rows_before.set(keyOf(row), row)
    }
    knowledge.add(deltas)
    const now_ms = Date.now()
    for (const [key, row] of rows_before) if (!isFollowed(row, now_ms)) rows_before.delete(key)
  }

  async function judge(): Promise<void> {
    const honesty = await readHonesty(db)
    knowledge.setHonesty(honesty)
    for (const { carrier, group, high } of honesty)
      if (group === undefined) meters.carrier_honesty.set({ carrier }, high)
  }

  async function run(): Promise<void> {
    if (!isWanted()) return
    const is_first = known === undefined
    if (is_first) read_ms = performance.now()
    if (known) await follow(known)
    if (is_first || knowledge.is_unseeded) await readAll()
    if (performance.now() - honesty_ms >= HONESTY_INTERVAL_MS) {
      await judge()
      honesty_ms = performance.now()
    }
    for (const { carrier, out_since_ms } of knowledge.outages.list()) {
      meters.carrier_out.set({ carrier }, out_since_ms === undefined ? 0 : 1)
    }
  }

  return startPeriodicJob(
    INTERVAL_MS,
    run,
    (err) => log.warn({ err }, 'evidence could not be read; carriers are chosen by what was known before'),
    { at_start: true },
  )
}

function keyOf({ hour_ms, carrier, country, operator, channel, class: its_class }: Followed): string {
  return `${hour_ms}\n${carrier}\n${country}\n${operator}\n${channel}\n${its_class}`
}

function isFollowed({ hour_ms }: Followed, now_ms: number): boolean {
  return hour_ms > now_ms - FOLLOWED_HOURS * HOUR_MS
}

/** The messages of an hour are on average from its middle, as far as it has passed. */
function ageOf({ hour_ms }: Followed, now_ms: number): number {
  return Math.max(0, (now_ms - hour_ms + Math.max(0, now_ms - hour_ms - HOUR_MS)) / 2)
}

const COUNTS = ['submitted', 'delivered', 'undelivered', 'judged', 'good'] as const

function isChanged(row: Followed, before: Followed): boolean {
  return (
    COUNTS.some((count) => row[count] !== before[count]) ||
    row.rejections.some((count, n) => count !== before.rejections[n]) ||
    row.report_times.some((count, n) => count !== before.report_times[n])
  )
}

function differenceOf(row: Followed, before: Followed): Delta {
  return {
    ...row,
    submitted: row.submitted - before.submitted,
    delivered: row.delivered - before.delivered,
    undelivered: row.undelivered - before.undelivered,
    judged: row.judged - before.judged,
    good: row.good - before.good,
    rejections: row.rejections.map((count, n) => count - (before.rejections[n] ?? 0)),
    report_times: row.report_times.map((count, n) => count - (before.report_times[n] ?? 0)),
  }
}
