import type { StoreSales } from '../../billing/charge.ts'
import type { Db } from '../../db/connect.ts'
import { isDatabaseUnreachable, mayHaveBeenDone } from '../../db/unreachable.ts'
import type { Wakeups } from '../../queue/wakeups.ts'
import { LEASE_S } from '../../queue/worker.ts'
import type { ReservingSubmitter, SubmittersOf } from '../dispatch/reserve.ts'
import { intakeQueue, writeWaiting } from '../dispatch/queues.ts'
import type { Draft } from '../draft.ts'
import type { IntakeDepth } from '../intake/depth.ts'
import { leaseNewRow, type LeasedRow } from '../intake/leased-row.ts'
import { fillRows, type NewRow } from '../intake/row.ts'
import { releaseRows } from '../intake/store.ts'
import { acceptMessages, storeLinks, type Accepted, type Burst } from './store.ts'

export type AcceptDeps = {
  db: Db
  wakeups: Wakeups
  submittersOf: SubmittersOf
  depth: Pick<IntakeDepth, 'add'>
}

/** Charges messages and puts them into the intake. */
export function makeAcceptMessages(deps: AcceptDeps): StoreSales<Draft> {
  return (organisation_id, sales) =>
    storeAndSubmit(
      deps,
      organisation_id,
      sales.map(({ item }) => item),
      (burst) => acceptMessages(deps.db, organisation_id, sales, burst, true),
    )
}

/**
 * Stores messages by what `write` does, and sees to it that they go. A row for which this process has room is stored as
 * in hand, and handed over after the commit; should the process die in between, the row's lease ends and somebody else
 * finds it. Of the others those who can hand them over are told; so it is with a row in hand whose write took too long.
 */
export async function storeAndSubmit(
  deps: AcceptDeps,
  organisation_id: string,
  drafts: readonly Draft[],
  write: (burst: Burst) => Promise<Accepted>,
): Promise<Accepted> {
  const { rows, stored } = fillRows(drafts)
  const held = rows.map((row) => ({
    row,
    submitter: deps.submittersOf(row.route).find((submitter) => submitter.reserve(row)),
  }))
  const burst = { rows: held.map(({ row, submitter }) => ({ ...row, in_hand: submitter !== undefined })), stored }
  const began = performance.now()
  let accepted: Accepted
  try {
    if (deps.db.distributed) await storeLinks(deps.db, organisation_id, burst)
    accepted = await write(burst)
  } catch (fault) {
    for (const { row, submitter } of held) submitter?.startReserved(row.size, undefined)
    // It may be stored all the same, and then as in hand. Only we know that nobody has handed it over.
    if (mayHaveBeenDone(fault)) void giveBack(deps, organisation_id, held, { until_found: true })
    throw fault
  }
  const in_time = performance.now() - began < TOO_LATE_MS
  const waiting: NewRow[] = []
  for (const { row, submitter } of held) {
    const kept = storedOf(row, accepted)
    if (kept && !(submitter && in_time)) waiting.push(row)
    submitter?.startReserved(row.size, kept && in_time ? handOver(organisation_id, kept, accepted) : undefined)
  }
  for (const { size } of waiting) deps.depth.add(organisation_id, size)
  tell(deps, organisation_id, waiting)
  if (!in_time) void giveBack(deps, organisation_id, held, { until_found: false })
  return accepted
}

function tell({ wakeups }: AcceptDeps, organisation_id: string, waiting: readonly NewRow[]): void {
  for (const { route, priority } of waiting) {
    wakeups.wake(intakeQueue(route), 0, writeWaiting(priority, organisation_id))
  }
}

/** A write that took this long has used up half of the lease: to hand over now could mean to do so beside somebody else. */
const TOO_LATE_MS = (LEASE_S * 1_000) / 2
const ASK_EVERY_MS = 500

/**
 * Asks for it until the database answers, or until they are found: a server that stood still may store them after we have
 * given it up. That is for as long as their lease runs; then whoever finds them takes them for interrupted.
 */
async function giveBack(
  deps: AcceptDeps,
  organisation_id: string,
  held: readonly { row: NewRow; submitter: ReservingSubmitter | undefined }[],
  { until_found }: { until_found: boolean },
): Promise<void> {
  const began = performance.now()
  const rows = held.flatMap(({ row, submitter }) => (submitter ? [row] : []))
  const ids = rows.map(({ id }) => id)
  while (ids.length > 0 && performance.now() - began < LEASE_S * 1_000) {
    try {
      const found = await releaseRows(deps.db, organisation_id, ids)
      if (found > 0) tell(deps, organisation_id, rows)
      if (found > 0 || !until_found) return
    } catch (fault) {
      if (!isDatabaseUnreachable(fault)) return
    }
    await new Promise((resolve) => setTimeout(resolve, ASK_EVERY_MS))
  }
}

/** What was stored of a row: messages that were not charged are not in it. */
function storedOf(row: NewRow, { charged }: Accepted): NewRow | undefined {
  if (!charged) return row
  const paid = new Set(charged)
  const items = row.items.filter(({ id }) => paid.has(id))
  return items.length === 0 ? undefined : { ...row, items }
}

function handOver(organisation_id: string, row: NewRow, { moment, opted_out }: Accepted): LeasedRow {
  return leaseNewRow(organisation_id, row, { accepted: moment, opted_out: new Set(opted_out) })
}
