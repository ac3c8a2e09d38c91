import type { CarrierReport, TakeReports } from '../carriers/message-carrier.ts'
import type { Db, Tx } from '../db/connect.ts'
import { transaction } from '../db/transaction.ts'
import { enqueue, finish, postponeEach, type Job } from '../queue/store.ts'
import type { Wakeups } from '../queue/wakeups.ts'
import { startWorker, type Worker } from '../queue/worker.ts'
import { groupBy } from '../values/group.ts'
import type { Log } from '../values/log.ts'
import { newId } from '../values/id.ts'
import { deleteReports, insertReports, readReports, type StoredReport } from './report-store.ts'
import { settle, type SettleDeps } from './settle.ts'

const QUEUE = 'reports'
const BATCH = 500
/** A report may come before its message is written down as handed over, so the first looks follow each other closely. */
const FIRST_RETRY_MS = 200
const LONGEST_RETRY_MS = 600_000
/** A report that has not found its message by then never will. */
const KEPT_H = 72
/** Reports belong to no organisation until they are matched. */
const NOBODY = '00000000-0000-0000-0000-000000000000'

/** Stores what carriers say; when it resolves, the carrier may be told that we have it. */
export function makeTakeReports(deps: { db: Db; wakeups: Wakeups }): TakeReports {
  return async (reports: readonly CarrierReport[]) => {
    if (reports.length === 0) return
    const rows = reports.map((report) => ({ id: newId(), ...report }))
    await transaction(deps.db, async (tx) => {
      await insertReports(tx, rows)
      await enqueue(
        tx,
        QUEUE,
        rows.map(({ id }) => ({ lane: NOBODY, organisation_id: NOBODY, subject_id: id })),
      )
    })
    deps.wakeups.wake(QUEUE)
  }
}

/** Finds the deliveries that stored reports speak of, and settles them. */
export function startReports(deps: SettleDeps & { log: Log }): Worker {
  return startWorker(deps, {
    queue: QUEUE,
    limit: 2 * BATCH,
    batch: BATCH,

    work: (jobs) => matchReports(deps, jobs),
  })
}

async function matchReports(deps: SettleDeps, jobs: readonly Job[]): Promise<void> {
  const job_of = new Map(jobs.map((job) => [job.subject_id, job]))
  const reports = await readReports(deps.db, [...job_of.keys()])
  const matched = reports.filter((report) => report.organisation_id !== null)
  await Promise.all([
    ...[...groupBy(matched, ({ organisation_id }) => organisation_id)].map(([organisation_id, own]) =>
      settle(deps, organisation_id, own, (tx) => dismiss(tx, own, job_of)),
    ),
    giveTime(
      deps,
      reports.filter((report) => report.organisation_id === null),
      job_of,
    ),
  ])
}

/** A report without its message waits for it, ever longer, and is dropped in the end. */
async function giveTime(deps: SettleDeps, reports: readonly StoredReport[], job_of: Map<string, Job>): Promise<void> {
  await transaction(deps.db, (tx) =>
    dismiss(
      tx,
      reports.filter(({ age_h }) => age_h > KEPT_H),
      job_of,
    ),
  )
  const later = reports
    .filter(({ age_h }) => age_h <= KEPT_H)
    .flatMap(({ id }) => job_of.get(id) ?? [])
    .map((job) => ({ id: job.id, delay_ms: Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** (job.attempts - 1)) }))
  await postponeEach(deps.db, later)
  for (const { delay_ms } of later) deps.wakeups.wake(QUEUE, delay_ms + 5)
}

async function dismiss(tx: Tx, reports: readonly StoredReport[], job_of: Map<string, Job>): Promise<void> {
  await deleteReports(
    tx,
    reports.map(({ id }) => id),
  )
  await finish(
    tx,
    reports.flatMap(({ id }) => job_of.get(id)?.id ?? []),
  )
}
