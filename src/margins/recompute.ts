import type { Db } from '../db/connect.ts'
import { transaction } from '../db/transaction.ts'
import { originOfErasable, readPrefixTable } from '../numbers/prefix-table.ts'
import { addFigures, dayOf, type MarginRow } from '../observe/margins.ts'
import { enqueue, finish, type Job } from '../queue/store.ts'
import type { Wakeups } from '../queue/wakeups.ts'
import { startWorker } from '../queue/worker.ts'
import { startPeriodicJob } from '../values/concurrency/periodic-job.ts'
import type { Log } from '../values/log.ts'
import { daysLater } from '../values/time/time-zone.ts'
import {
  beginDay,
  countDeliveries,
  hasMargins,
  listOrganisations,
  sumDeliveries,
  type Summed,
} from './recompute-store.ts'
import { replaceMargins } from './store.ts'

export type MarginDeps = {
  db: Db
  wakeups: Wakeups
  log: Log
  /** Retention of messages; undefined: without limit. */
  messages_days: number | undefined
}

export const MARGIN_QUEUE = 'margins'

const CHECK_INTERVAL_MS = 60_000
/** A day is computed after its last messages were submitted and reported, mostly. */
const DELAY_MINUTES = 5
/** A day is computed this many times, on as many following days: reports arrive for three days. */
const TIMES = 4
/** A day with more deliveries is summed by the hour. */
const MAX_AT_ONCE = 200_000
const HOUR_MS = 3_600_000

/** Computes the figures of ended days from the deliveries, so that they are exact whatever became of processes. */
export function startMargins(deps: MarginDeps): { stop(): Promise<void> } {
  // A job is small: the day of one organisation.
  const worker = startWorker(deps, {
    queue: MARGIN_QUEUE,
    limit: 1,
    batch: 1,
    work: async (jobs) => {
      for (const job of jobs) await computeDay(deps, job)
      await finish(deps.db, jobs)
    },
  })
  const check = startPeriodicJob(
    CHECK_INTERVAL_MS,
    () => scheduleDays(deps),
    (err) => deps.log.warn({ err }, 'scheduling the computation of margins failed; it is retried'),
  )
  return {
    async stop() {
      await Promise.all([check.stop(), worker.stop()])
    },
  }
}

/** Once per day, by one process: a job for each organisation and ended day. */
export async function scheduleDays({ db, wakeups }: Pick<MarginDeps, 'db' | 'wakeups'>): Promise<number> {
  const count = await transaction(db, async (tx) => {
    const today = await beginDay(tx, DELAY_MINUTES)
    if (today === undefined || !(await hasMargins(tx, daysLater(today, -TIMES)))) return 0
    const days = Array.from({ length: TIMES }, (_, n) => daysLater(today, -1 - n))
    const organisations = await listOrganisations(tx)
    const jobs = organisations.flatMap(({ id }) =>
      days.map((day) => ({ lane: id, organisation_id: id, subject_id: id, subject_key: day })),
    )
    await enqueue(tx, MARGIN_QUEUE, jobs)
    return jobs.length
  })
  if (count > 0) wakeups.wake(MARGIN_QUEUE)
  return count
}

async function computeDay(
  { db, messages_days = Infinity }: Pick<MarginDeps, 'db' | 'messages_days'>,
  { organisation_id, subject_key: day }: Job,
): Promise<void> {
  // Some messages of an older day may be deleted.
  const age_days = dayOf(Date.now()) - dayOf(Date.parse(day))
  if (age_days < messages_days) await recomputeDay(db, organisation_id, day)
}

/** Replaces the figures of a day by sums over its deliveries. */
export async function recomputeDay(db: Db, organisation_id: string, day: string): Promise<void> {
  const whole = { from: `${day}T00:00:00Z`, until: `${daysLater(day, 1)}T00:00:00Z` }
  const { longest_prefix } = readPrefixTable()
  const rows = new Map<string, MarginRow>()
  for (const range of (await countDeliveries(db, organisation_id, whole, MAX_AT_ONCE)) < MAX_AT_ONCE
    ? [whole]
    : hoursOf(day)) {
    for (const summed of await sumDeliveries(db, organisation_id, range, longest_prefix)) add(summed)
  }
  await replaceMargins(db, organisation_id, day, [...rows.values()])

  function add({ carrier, leading_digits, ...figures }: Summed): void {
    const { country, operator } = originOfErasable(leading_digits)
    const key = `${carrier}\n${country} ${operator}`
    const known = rows.get(key)
    if (known) addFigures(known, figures)
    else rows.set(key, { organisation_id, day: dayOf(Date.parse(day)), carrier, country, operator, ...figures })
  }
}

function hoursOf(day: string): { from: string; until: string }[] {
  const began_ms = Date.parse(`${day}T00:00:00Z`)
  return Array.from({ length: 24 }, (_, hour) => ({
    from: new Date(began_ms + hour * HOUR_MS).toISOString(),
    until: new Date(began_ms + (hour + 1) * HOUR_MS).toISOString(),
  }))
}
