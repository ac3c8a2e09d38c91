import { isDatabaseUnreachable } from '../../db/unreachable.ts'
import { groupBy } from '../../values/group.ts'
import { nowMs } from '../../observe/trace/tracer.ts'
import { settleDelivered } from '../settle/settle-delivered.ts'
import { settle, type SettleDeps } from '../settle/settle.ts'
import type { Change } from '../settle/store.ts'
import type { TraceReports } from '../trace.ts'
import { findEarly, findMeant, type Arrived } from './find-store.ts'
import type { Recent, Remembered } from './recent.ts'
import type { LearnIds } from './report-ids.ts'
import type { NewReport } from './store.ts'

const WAIT_FOR_RECORD_MS = 100

/** What is learned about a carrier's ids is learned in one place, whichever way reports are matched. */
export type MatchDeps = SettleDeps & {
  learnIds: LearnIds
  /** What these carriers have answered in this process by now is written down. */
  untilRecorded?: (carriers: ReadonlySet<string>) => Promise<unknown>
  /** Where traces are wanted. */
  traceReports?: TraceReports | undefined
}

/** Settles the reports whose messages are known and whole, and gives back the others; those of an organisation if that fails. */
export async function settleAtOnce(deps: MatchDeps, given: readonly NewReport[]): Promise<readonly NewReport[]> {
  await answersWritten(deps, given)
  const { recent } = deps
  const arrived = recent?.find(given) ?? []
  if (!recent || arrived.length === 0) return settleLookedUp(deps, given)
  const remembered = new Set(arrived.map(({ report }) => report))
  // Side by side: who is not remembered does not wait for the node of who is.
  const [{ behind, failed }, left] = await Promise.all([
    settleRecent(deps, recent, arrived),
    settleLookedUp(
      deps,
      given.filter((report) => !remembered.has(report)),
    ),
  ])
  return [...left, ...failed, ...(await settleLookedUp(deps, behind))]
}

async function settleLookedUp(deps: MatchDeps, rows: readonly NewReport[]): Promise<readonly NewReport[]> {
  if (rows.length === 0) return []
  const began_ms = deps.traceReports ? nowMs() : 0
  const report_of = new Map(rows.map((row) => [row.id, row]))
  const whole: Arrived[] = []
  const meant = (await findMeant(deps.db, rows)).filter(({ segments }) => segments === 1)
  const early = await findEarly(deps.db, meant)
  for (const found of meant) {
    const report = report_of.get(found.id)
    if (report && !early.has(found.id)) whole.push({ found, report })
  }
  const settled: Arrived[] = []
  // Side by side: an organisation whose node answers late holds up nobody else's.
  const groups = [...groupBy(whole, ({ found }) => found.organisation_id)]
  await Promise.all(
    groups.map(async ([organisation_id, own]) => {
      try {
        await settleDelivered(deps, organisation_id, own.filter(isArrived))
        const others = own.filter((one) => !isArrived(one))
        if (others.length > 0) await settle(deps, organisation_id, others.map(changeBy), async () => {})
        settled.push(...own)
      } catch {
        // They are stored; the worker tries each alone, and says what is wrong with one.
      }
    }),
  )
  await told(deps, began_ms, settled)
  for (const { found } of settled) report_of.delete(found.id)
  return [...report_of.values()]
}

/**
 * Settles those that speak of what this process has handed over lately, which need not be looked up. Gives back those that
 * this was not enough for, to be looked up, and those of an organisation whose node has just failed, to be stored.
 */
async function settleRecent(
  deps: MatchDeps,
  recent: Recent,
  arrived: readonly Remembered[],
): Promise<{ behind: NewReport[]; failed: NewReport[] }> {
  const began_ms = deps.traceReports ? nowMs() : 0
  const settled = new Set<Arrived>()
  const failed: NewReport[] = []
  await Promise.all(
    [...groupBy(arrived, ({ found }) => found.organisation_id)].map(async ([organisation_id, own]) => {
      try {
        const memory = { may_name_people: own.some(({ may_name_people }) => may_name_people) }
        const moved = await settleDelivered(deps, organisation_id, own, memory)
        for (const one of moved ?? []) settled.add(one)
        if (!moved) recent.passOver(organisation_id)
      } catch (fault) {
        if (isDatabaseUnreachable(fault)) failed.push(...own.map(({ report }) => report))
      }
    }),
  )
  for (const { found, report } of arrived) recent.forget(report.carrier, found.kept_id)
  await told(deps, began_ms, [...settled])
  const put_off = new Set(failed)
  const behind = arrived.filter((one) => !settled.has(one) && !put_off.has(one.report))
  return { behind: behind.map(({ report }) => report), failed }
}

async function told(deps: MatchDeps, began_ms: number, settled: readonly Arrived[]): Promise<void> {
  await deps.learnIds(settled)
  void deps.traceReports?.(
    began_ms,
    settled.map(({ found, report }) => ({ ...report, ...found })),
  )
}

/**
 * A network may report on a message in the moment it takes it, while what it answered is still being written. To wait for
 * that costs a few milliseconds; to store the report and look again later costs six row versions.
 */
async function answersWritten({ untilRecorded }: MatchDeps, rows: readonly NewReport[]): Promise<void> {
  if (!untilRecorded) return
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, WAIT_FOR_RECORD_MS)
  })
  await Promise.race([untilRecorded(new Set(rows.map(({ carrier }) => carrier))), late])
  clearTimeout(timer)
}

function isArrived({ found, report }: Arrived): boolean {
  return report.status === 'delivered' && found.delivery_status !== null
}

function changeBy({ found: { message_id, recipient }, report }: Arrived): Change {
  const { status, code, description, operator } = report
  return { message_id, recipient, status, code, description, operator: operator ?? null }
}
