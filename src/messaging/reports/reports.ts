import type { CarrierReport, KnownDelivery, TakeReports } from '../../carriers/message-carrier.ts'
import type { Db, Tx } from '../../db/connect.ts'
import { transaction } from '../../db/transaction.ts'
import { enqueue, finish, postponeEach, type Job } from '../../queue/store.ts'
import type { Wakeups } from '../../queue/wakeups.ts'
import { startWorker, type Worker } from '../../queue/worker.ts'
import { groupBy } from '../../values/group.ts'
import type { Log } from '../../values/log.ts'
import { nowMs } from '../../observe/trace/tracer.ts'
import { settleAtOnce, type MatchDeps } from './at-once.ts'
import { judgeSegments } from './segments.ts'
import { lockDeliveries, noteSegmentReports, readSegments } from './segment-store.ts'
import { findOurs } from './cluster-store.ts'
import { matchByNumber, takeNumberKeys } from './number-store.ts'
import { makeReadIds } from './report-ids.ts'
import {
  deleteReports,
  insertKnown,
  insertReports,
  readReports,
  type MatchedReport,
  type NewReport,
  type StoredReport,
} from './store.ts'
import { settle, type SettleDeps } from '../settle/settle.ts'
import type { Change } from '../settle/store.ts'

const QUEUE = 'reports'
const TABLE = 'report_jobs'
const BATCH = 500
/** A report may come before its message is written down as handed over, so the first looks follow each other closely. */
const FIRST_RETRY_MS = 200
const LONGEST_RETRY_MS = 600_000
/** After this time the answer with its id will not be written any more. */
const ID_UNKNOWN_AFTER_H = 45 / 3_600
/** A report that has not found its message by then never will. */
const KEPT_H = 72
/** Reports belong to no organisation until they are matched. */
const NOBODY = '00000000-0000-0000-0000-000000000000'

/**
 * Takes what carriers say; when it resolves, the carrier may be told that we have it. Nearly every report finds its
 * message at once and is settled then and there; the others are stored, and looked at again and again.
 */
export function makeTakeReports(deps: { db: Db; wakeups: Wakeups }, settling?: MatchDeps): TakeReports {
  const readIds = makeReadIds(deps)
  return async (reports: readonly CarrierReport[], known: readonly KnownDelivery[] = []) => {
    if (reports.length === 0 && known.length === 0) return
    const all = await readIds(reports)
    const rows = settling && all.length > 0 ? await settleAtOnce(settling, all) : all
    const news = withoutSettled(known, all, rows)
    if (rows.length === 0 && news.length === 0) return
    const ours = deps.db.distributed ? await findOurs(deps.db, news) : news
    await transaction(deps.db, async (tx) => {
      await insertKnown(tx, ours)
      await insertReports(tx, rows)
      await enqueue(
        tx,
        QUEUE,
        rows.map(({ id }) => ({ lane: NOBODY, organisation_id: NOBODY, subject_id: id })),
        TABLE,
      )
    })
    deps.wakeups.wake(QUEUE)
  }
}

/** What a report was settled by was known before it. */
function withoutSettled(
  known: readonly KnownDelivery[],
  all: readonly NewReport[],
  left: readonly NewReport[],
): readonly KnownDelivery[] {
  if (known.length === 0 || left.length === all.length) return known
  const open = new Set(left.map(({ carrier_message_id }) => carrier_message_id))
  const settled = new Set(all.map(({ carrier_message_id }) => carrier_message_id).filter((id) => !open.has(id)))
  return known.filter(({ carrier_message_id }) => !settled.has(carrier_message_id))
}

/** Finds the deliveries that stored reports speak of, and settles them. */
export function startReports(deps: MatchDeps & { log: Log }): Worker {
  return startWorker(deps, {
    queue: QUEUE,
    table: TABLE,
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
  const whole = matched.filter(({ segments }) => segments === 1)
  const in_segments = matched.filter(({ segments }) => segments > 1)
  await Promise.all([
    ...[...groupBy(whole, ({ organisation_id }) => organisation_id)].map(([organisation_id, own]) =>
      settle(deps, organisation_id, own, (tx) => dismiss(tx, own, job_of)),
    ),
    ...[...groupBy(in_segments, ({ organisation_id }) => organisation_id)].map(([organisation_id, own]) =>
      settle(
        deps,
        organisation_id,
        (tx) => judge(tx, organisation_id, own),
        (tx) => dismiss(tx, own, job_of),
      ),
    ),
    takeUnmatched(
      deps,
      reports.filter((report) => report.organisation_id === null),
      job_of,
    ),
  ])
  await deps.learnIds(matched.map((report) => ({ report, found: report })))
  void deps.traceReports?.(began_ms, matched)
}

/** What has waited for its id long enough may be on a message whose id was lost; the others wait on. */
async function takeUnmatched(
  deps: SettleDeps,
  reports: readonly (StoredReport & { waits?: boolean })[],
  job_of: Map<string, Job>,
): Promise<void> {
  const old = reports.filter(({ age_h, waits }) => age_h > ID_UNKNOWN_AFTER_H && !waits)
  const found =
    old.length === 0
      ? []
      : await matchByNumber(
          deps.db,
          old.map(({ id }) => id),
        )
  const settled = new Set<string>()
  for (const [organisation_id, own] of groupBy(found, (report) => report.organisation_id)) {
    for (const { id } of await settleByNumber(deps, organisation_id, own, job_of)) settled.add(id)
  }
  await giveTime(
    deps,
    reports.filter(({ id }) => !settled.has(id)),
    job_of,
  )
}

/** Returns the reports that have got their message. A key that another process has used meanwhile is nobody's any more. */
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
  await settle(deps, organisation_id, take, (tx) => dismiss(tx, own, job_of))
  return own
}

/** What reports on segments mean for their messages, together with what was reported before. */
async function judge(tx: Tx, organisation_id: string, reports: readonly MatchedReport[]): Promise<Change[]> {
  await lockDeliveries(tx, organisation_id, reports)
  await noteSegmentReports(tx, organisation_id, reports)
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

/** A report without its message waits for it, ever longer, and is dropped in the end. */
async function giveTime(deps: SettleDeps, reports: readonly StoredReport[], job_of: Map<string, Job>): Promise<void> {
  if (reports.length === 0) return
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
    .map((job) => ({
      id: job.id,
      organisation_id: NOBODY,
      delay_ms: Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(20, job.attempts - 1)),
    }))
  await postponeEach(deps.db, later, TABLE)
  for (const delay_ms of new Set(later.map((one) => one.delay_ms))) deps.wakeups.wake(QUEUE, delay_ms + 5)
}

async function dismiss(tx: Tx, reports: readonly StoredReport[], job_of: Map<string, Job>): Promise<void> {
  await deleteReports(
    tx,
    reports.map(({ id }) => id),
  )
  await finish(
    tx,
    reports.flatMap(({ id }) => job_of.get(id) ?? []),
    TABLE,
  )
}
