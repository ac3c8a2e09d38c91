import type { Tx } from '../../db/connect.ts'
import { transaction } from '../../db/transaction.ts'
import { finish, postponeEach, type Job } from '../../queue/store.ts'
import { startWorker, type Worker } from '../../queue/worker.ts'
import { groupBy } from '../../values/group.ts'
import type { Log } from '../../values/log.ts'
import { nowMs } from '../../observe/trace/tracer.ts'
import { settle, type SettleDeps } from '../settle/settle.ts'
import type { Change } from '../settle/store.ts'
import { matchByNumber, takeNumberKeys } from './match-by-number-store.ts'
import { lockDeliveries, readSegments, storeSegmentReports } from './segment-store.ts'
import { judgeSegments } from './segments.ts'
import type { MatchDeps } from './settle-on-arrival.ts'
import { deleteReports, readReports, type MatchedReport, type StoredReport } from './store.ts'

export const REPORT_QUEUE = 'reports'
export const REPORT_JOBS = 'report_jobs'
/** Stored reports belong to no organisation until they are matched. */
export const UNMATCHED_ORGANISATION = '00000000-0000-0000-0000-000000000000'

const BATCH = 500
/** A report may arrive before its submission is recorded, so the first retries follow closely. */
const FIRST_RETRY_MS = 200
const MAX_RETRY_MS = 600_000
/** After this time a submission that was never answered will not get its carrier id any more. */
const ID_UNKNOWN_AFTER_H = 45 / 3_600
/** A report without a delivery is dropped after this time. */
const RETENTION_H = 72

/** Matches stored reports with their deliveries, and settles those. */
export function startReportMatcher(deps: MatchDeps & { log: Log }): Worker {
  return startWorker(deps, {
    queue: REPORT_QUEUE,
    table: REPORT_JOBS,
    limit: 2 * BATCH,
    batch: BATCH,
    work: (jobs) => matchReports(deps, jobs),
  })
}

async function matchReports(deps: MatchDeps, jobs: readonly Job[]): Promise<void> {
  const began_ms = deps.traceReports ? nowMs() : 0
  const job_of = new Map(jobs.map((job) => [job.subject_id, job]))
  const reports = await readReports(deps.db, [...job_of.keys()])
  const matched = reports.filter((report) => report.organisation_id !== null)
  const single = matched.filter(({ segments }) => segments === 1)
  const in_segments = matched.filter(({ segments }) => segments > 1)
  await Promise.all([
    ...[...groupBy(single, ({ organisation_id }) => organisation_id)].map(([organisation_id, own]) =>
      settle(deps, organisation_id, own, (tx) => remove(tx, own, job_of)),
    ),
    ...[...groupBy(in_segments, ({ organisation_id }) => organisation_id)].map(([organisation_id, own]) =>
      settle(
        deps,
        organisation_id,
        (tx) => combineSegments(tx, organisation_id, own),
        (tx) => remove(tx, own, job_of),
      ),
    ),
    handleUnmatched(
      deps,
      reports.filter((report) => report.organisation_id === null),
      job_of,
    ),
  ])
  await deps.learnIds(matched.map((report) => ({ report, found: report })))
  void deps.traceReports?.(began_ms, matched)
}

/** Matches by number the reports whose id is unknown for long enough, and postpones the rest. */
async function handleUnmatched(
  deps: MatchDeps,
  unmatched: readonly (StoredReport & { waits?: boolean })[],
  job_of: Map<string, Job>,
): Promise<void> {
  const taken = await settleTaken(deps, unmatched, job_of)
  const reports = unmatched.filter(({ id }) => !taken.has(id))
  const old = reports.filter(({ age_h, waits }) => age_h > ID_UNKNOWN_AFTER_H && !waits).map(({ id }) => id)
  const found = old.length === 0 ? [] : await matchByNumber(deps.db, old)
  const settled = new Set<string>()
  for (const [organisation_id, own] of groupBy(found, (report) => report.organisation_id)) {
    for (const { id } of await settleByNumber(deps, organisation_id, own, job_of)) settled.add(id)
  }
  await postpone(
    deps,
    reports.filter(({ id }) => !settled.has(id)),
    job_of,
  )
}

/** Returns the ids of the reports that were on messages of no organisation. */
async function settleTaken(
  { db, takeUnmatched }: MatchDeps,
  reports: readonly StoredReport[],
  job_of: Map<string, Job>,
): Promise<ReadonlySet<string>> {
  if (!takeUnmatched || reports.length === 0) return new Set()
  return transaction(db, async (tx) => {
    const taken = new Set(
      await takeUnmatched(
        tx,
        reports.map(({ id }) => id),
      ),
    )
    await remove(
      tx,
      reports.filter(({ id }) => taken.has(id)),
      job_of,
    )
    return taken
  })
}

/** Returns the reports that got a delivery; a key that another process has taken meanwhile is not matched again. */
async function settleByNumber(
  deps: SettleDeps,
  organisation_id: string,
  reports: readonly MatchedReport[],
  job_of: Map<string, Job>,
): Promise<readonly MatchedReport[]> {
  let own: readonly MatchedReport[] = []
  const take = async (tx: Tx) => {
    const taken = await takeNumberKeys(tx, reports)
    own = reports.filter(({ id }) => taken.has(id))
    return own
  }
  await settle(deps, organisation_id, take, (tx) => remove(tx, own, job_of))
  return own
}

/** The changes that follow from reports on segments, together with the reports stored before. */
async function combineSegments(tx: Tx, organisation_id: string, reports: readonly MatchedReport[]): Promise<Change[]> {
  await lockDeliveries(tx, organisation_id, reports)
  await storeSegmentReports(tx, organisation_id, reports)
  const segments = await readSegments(tx, organisation_id, reports)
  const operators = new Map(reports.map((one) => [`${one.message_id} ${one.recipient}`, one.operator]))
  return [...groupBy(segments, ({ message_id, recipient }) => `${message_id} ${recipient}`)].flatMap(([key, own]) => {
    const [first] = own
    const verdict = first && judgeSegments(first.segments, own)
    if (!first || !verdict) return []
    const { message_id, recipient } = first
    return [{ message_id, recipient, ...verdict, operator: operators.get(key) ?? null }]
  })
}

/** Reports without a delivery are retried with exponential backoff, and dropped in the end. */
async function postpone(deps: SettleDeps, reports: readonly StoredReport[], job_of: Map<string, Job>): Promise<void> {
  if (reports.length === 0) return
  const dropped = reports.filter(({ age_h }) => age_h > RETENTION_H)
  await transaction(deps.db, (tx) => remove(tx, dropped, job_of))
  const later = reports
    .filter(({ age_h }) => age_h <= RETENTION_H)
    .flatMap(({ id }) => job_of.get(id) ?? [])
    .map((job) => ({
      id: job.id,
      organisation_id: UNMATCHED_ORGANISATION,
      delay_ms: Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(20, job.attempts - 1)),
    }))
  await postponeEach(deps.db, later, REPORT_JOBS)
  for (const delay_ms of new Set(later.map((one) => one.delay_ms))) deps.wakeups.wake(REPORT_QUEUE, delay_ms + 5)
}

async function remove(tx: Tx, reports: readonly StoredReport[], job_of: Map<string, Job>): Promise<void> {
  const ids = reports.map(({ id }) => id)
  await deleteReports(tx, ids)
  const jobs = ids.flatMap((id) => job_of.get(id) ?? [])
  await finish(tx, jobs, REPORT_JOBS)
}
