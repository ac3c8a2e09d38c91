import type { Tx } from '../../db/connect.ts'
import { batchesOf } from '../../db/layout.ts'
import { isDatabaseUnreachable } from '../../db/unreachable.ts'
import { groupBy } from '../../values/group.ts'
import { nowMs } from '../../observe/trace/tracer.ts'
import { settle } from '../settle/settle.ts'
import type { Change } from '../settle/store.ts'
import type { TraceReports } from '../trace.ts'
import { findInIntake, findReportedDeliveries, type ReportMatch } from './find-delivery-store.ts'
import type { RecentMatch, RecentSubmissions } from './recent-submissions.ts'
import type { LearnIds } from './report-ids.ts'
import { settleDelivered, type SettleDeliveredDeps } from './settle-delivered.ts'
import type { NewReport } from './store.ts'

/** How long reports wait for the submissions that this process is recording. */
const WAIT_FOR_RECORD_MS = 100

export type MatchDeps = SettleDeliveredDeps & {
  learnIds: LearnIds
  /** Resolves once the answers that these carriers have given to this process are recorded. */
  untilRecorded?: (carriers: ReadonlySet<string>) => Promise<unknown>
  /** Set where traces are exported. */
  traceReports?: TraceReports | undefined
  /** Stores those of these stored reports that are on messages of no organisation, and returns their ids. */
  takeUnmatched?: (tx: Tx, report_ids: readonly string[]) => Promise<readonly string[]>
  /** Submissions of this process that need no lookup; on a cluster. */
  recent?: RecentSubmissions | undefined
}

/** Settles the reports whose deliveries are stored and not in segments, and returns the rest, to be stored. */
export async function settleOnArrival(deps: MatchDeps, given: readonly NewReport[]): Promise<readonly NewReport[]> {
  await answersRecorded(deps, given)
  const { recent } = deps
  const matches = recent?.find(given) ?? []
  if (!recent || matches.length === 0) return settleLookedUp(deps, given)
  const remembered = new Set(matches.map(({ report }) => report))
  // Concurrently: a slow node of one organisation must not delay the reports of others.
  const [{ stale, failed }, left] = await Promise.all([
    settleRecent(deps, recent, matches),
    settleLookedUp(
      deps,
      given.filter((report) => !remembered.has(report)),
    ),
  ])
  return [...left, ...failed, ...(await settleLookedUp(deps, stale))]
}

async function settleLookedUp(deps: MatchDeps, rows: readonly NewReport[]): Promise<readonly NewReport[]> {
  if (rows.length === 0) return []
  const began_ms = deps.traceReports ? nowMs() : 0
  const report_of = new Map(rows.map((row) => [row.id, row]))
  const matches: ReportMatch[] = []
  const deliveries = (await findReportedDeliveries(deps.db, rows)).filter(({ segments }) => segments === 1)
  const in_intake = await findInIntake(deps.db, deliveries)
  for (const found of deliveries) {
    const report = report_of.get(found.id)
    if (report && !in_intake.has(found.id)) matches.push({ found, report })
  }
  const batches = batchesOf(deps.db, [...groupBy(matches, ({ found }) => found.organisation_id)])
  const settled = (await Promise.all(batches.map((batch) => settleBatch(deps, batch)))).flat()
  await afterSettling(deps, began_ms, settled)
  for (const { found } of settled) report_of.delete(found.id)
  return [...report_of.values()]
}

type OfOrganisation = readonly [organisation_id: string, matches: readonly ReportMatch[]]

/**
 * Settles the `delivered` reports of several organisations in one statement, then what is left of each organisation alone:
 * deliveries that were locked, reports of other states, or everything if the statement failed. Returns those that are
 * settled.
 */
async function settleBatch(deps: MatchDeps, batch: readonly OfOrganisation[]): Promise<ReportMatch[]> {
  const delivered = batch.length > 1 ? batch.flatMap(([, own]) => own.filter(isDelivered)) : []
  const moved = new Set(await settleDelivered(deps, delivered).catch(() => []))
  const settled = await Promise.all(
    batch.map(async ([organisation_id, own]) => {
      try {
        await settleDelivered(
          deps,
          own.filter((one) => isDelivered(one) && !moved.has(one)),
        )
        const others = own.filter(({ report }) => report.status !== 'delivered')
        if (others.length > 0) await settle(deps, organisation_id, others.map(changeBy), async () => {})
        return own
      } catch {
        // The caller stores them; the match worker retries each alone and logs the cause.
        return own.filter((one) => moved.has(one))
      }
    }),
  )
  return settled.flat()
}

/**
 * Settles reports on recent submissions of this process without a lookup. Returns the `stale` ones, which must be looked
 * up, and the `failed` ones of an organisation whose node is unreachable, which must be stored.
 */
async function settleRecent(
  deps: MatchDeps,
  recent: RecentSubmissions,
  matches: readonly RecentMatch[],
): Promise<{ stale: NewReport[]; failed: NewReport[] }> {
  const began_ms = deps.traceReports ? nowMs() : 0
  const settled = new Set<ReportMatch>()
  const failed: NewReport[] = []
  await Promise.all(
    [...groupBy(matches, ({ found }) => found.organisation_id)].map(async ([organisation_id, own]) => {
      try {
        const memory = { may_name_people: own.some(({ may_name_people }) => may_name_people) }
        const moved = await settleDelivered(deps, own, memory)
        for (const one of moved ?? []) settled.add(one)
        if (!moved) recent.bypass(organisation_id)
      } catch (fault) {
        if (isDatabaseUnreachable(fault)) failed.push(...own.map(({ report }) => report))
      }
    }),
  )
  for (const { found, report } of matches) recent.forget(report.carrier, found.kept_id)
  await afterSettling(deps, began_ms, [...settled])
  const without = new Set(failed)
  const stale = matches.filter((one) => !settled.has(one) && !without.has(one.report))
  return { stale: stale.map(({ report }) => report), failed }
}

async function afterSettling(deps: MatchDeps, began_ms: number, settled: readonly ReportMatch[]): Promise<void> {
  await deps.learnIds(settled)
  void deps.traceReports?.(
    began_ms,
    settled.map(({ found, report }) => ({ ...report, ...found })),
  )
}

/**
 * A network may report on a message while its answer to the submission is still being recorded. Waiting for that costs a
 * few milliseconds; storing the report and matching it later costs six row versions.
 */
async function answersRecorded({ untilRecorded }: MatchDeps, rows: readonly NewReport[]): Promise<void> {
  if (!untilRecorded) return
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, WAIT_FOR_RECORD_MS)
  })
  await Promise.race([untilRecorded(new Set(rows.map(({ carrier }) => carrier))), late])
  clearTimeout(timer)
}

/** A report by which the delivery moves to `delivered`, unless it has moved since it was read: a final state stays. */
function isDelivered({ found, report }: ReportMatch): boolean {
  return report.status === 'delivered' && MOVABLE.has(found.delivery_status)
}

const MOVABLE = new Set<string | null>(['queued', 'sent', 'expired', 'unknown'])

function changeBy({ found: { message_id, recipient }, report }: ReportMatch): Change {
  const { status, code, description, operator } = report
  return { message_id, recipient, status, code, description, operator: operator ?? null }
}
