import type { StoreSales } from '../../billing/charge.ts'
import type { Db } from '../../db/connect.ts'
import { isDatabaseUnreachable, mayHaveBeenDone } from '../../db/unreachable.ts'
import { LEASE_S } from '../../queue/leases.ts'
import type { Wakeups } from '../../queue/wakeups.ts'
import { intakeTopic, writePending } from '../dispatch/queues.ts'
import type { ReservingSubmitter, SubmittersOf } from '../dispatch/submitter.ts'
import type { Draft } from '../draft.ts'
import type { IntakeDepth } from '../intake/depth.ts'
import { leaseNewRow, type LeasedRow } from '../intake/leased-row.ts'
import { fillRows, type NewRow } from '../intake/row.ts'
import { releaseRows } from '../intake/store.ts'
import { acceptMessages, storeLinks, type Accepted, type MessageBatch } from './store.ts'

export type AcceptDeps = {
  db: Db
  wakeups: Wakeups
  submittersOf: SubmittersOf
  depth: Pick<IntakeDepth, 'add'>
}

/** Charges messages and stores them in the intake. */
export function makeAcceptMessages(deps: AcceptDeps): StoreSales<Draft> {
  return (organisation_id, sales) =>
    storeAndSubmit(
      deps,
      organisation_id,
      sales.map(({ item }) => item),
      (batch) => acceptMessages(deps.db, organisation_id, sales, batch, true),
    )
}

/**
 * Stores messages with `write` and starts their submission. A row that this process has capacity for is stored as leased,
 * and submitted after the commit; if the process dies in between, the lease expires and another process claims the row.
 * For the other rows, and for a leased row whose write took too long, the submitters of all processes are woken.
 */
export async function storeAndSubmit(
  deps: AcceptDeps,
  organisation_id: string,
  drafts: readonly Draft[],
  write: (batch: MessageBatch) => Promise<Accepted>,
): Promise<Accepted> {
  const { rows, stored } = fillRows(drafts)
  const reserved = rows.map((row) => ({ row, submitter: deps.submittersOf(row.route).find((one) => one.reserve(row)) }))
  const batch = { rows: reserved.map(({ row, submitter }) => ({ ...row, in_hand: submitter !== undefined })), stored }
  const began = performance.now()
  let accepted: Accepted
  try {
    await storeLinks(deps.db, organisation_id, batch)
    accepted = await write(batch)
  } catch (fault) {
    for (const { row, submitter } of reserved) submitter?.startReserved(row.size, undefined)
    // It may be stored all the same, as leased. Only this process knows that nothing of it was submitted.
    if (mayHaveBeenDone(fault)) void release(deps, organisation_id, reserved, { until_found: true })
    throw fault
  }
  const in_time = performance.now() - began < TOO_LATE_MS
  const pending: NewRow[] = []
  for (const { row, submitter } of reserved) {
    const kept = chargedPart(row, accepted)
    if (kept && !(submitter && in_time)) pending.push(row)
    submitter?.startReserved(row.size, kept && in_time ? leaseRow(organisation_id, kept, accepted) : undefined)
  }
  for (const { size } of pending) deps.depth.add(organisation_id, size)
  wakeSubmitters(deps, organisation_id, pending)
  if (!in_time) void release(deps, organisation_id, reserved, { until_found: false })
  return accepted
}

function wakeSubmitters({ wakeups }: AcceptDeps, organisation_id: string, pending: readonly NewRow[]): void {
  for (const { route, priority } of pending) {
    wakeups.wake(intakeTopic(route), 0, writePending(priority, organisation_id))
  }
}

/** A write that took half of the lease: another process might claim the row while this one submits it. */
const TOO_LATE_MS = (LEASE_S * 1_000) / 2
const RETRY_MS = 500

/**
 * Releases rows that were stored as leased. Retries until the database answers, or until they are found: a server that stood
 * still may store them after we have given up. Ends with their lease; a process that claims them after that must treat them
 * as interrupted.
 */
async function release(
  deps: AcceptDeps,
  organisation_id: string,
  reserved: readonly { row: NewRow; submitter: ReservingSubmitter | undefined }[],
  { until_found }: { until_found: boolean },
): Promise<void> {
  const began = performance.now()
  const rows = reserved.flatMap(({ row, submitter }) => (submitter ? [row] : []))
  const ids = rows.map(({ id }) => id)
  while (ids.length > 0 && performance.now() - began < LEASE_S * 1_000) {
    try {
      const found = await releaseRows(deps.db, organisation_id, ids)
      if (found > 0) wakeSubmitters(deps, organisation_id, rows)
      if (found > 0 || !until_found) return
    } catch (fault) {
      if (!isDatabaseUnreachable(fault)) return
    }
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
  }
}

/** The part of a row that was stored: without messages that were not charged. */
function chargedPart(row: NewRow, { charged }: Accepted): NewRow | undefined {
  if (!charged) return row
  const paid = new Set(charged)
  const items = row.items.filter(({ id }) => paid.has(id))
  return items.length === 0 ? undefined : { ...row, items }
}

function leaseRow(organisation_id: string, row: NewRow, { moment, opted_out }: Accepted): LeasedRow {
  return leaseNewRow(organisation_id, row, { accepted: moment, opted_out: new Set(opted_out) })
}
