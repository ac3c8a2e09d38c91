import type { SaleGroup, StoreManySales, StoreSales } from '../../billing/charge.ts'
import { theOne } from '../../billing/store.ts'
import type { Db } from '../../db/connect.ts'
import { byLayout } from '../../db/layout.ts'
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
import {
  acceptMany,
  acceptMessages,
  MAX_OPTED_OUT,
  storeLinks,
  type Accepted,
  type AcceptGroup,
  type MessageBatch,
} from './store.ts'

export type AcceptDeps = {
  db: Db
  /** For writes of many organisations. */
  shared_db: Db
  wakeups: Wakeups
  submittersOf: SubmittersOf
  depth: Pick<IntakeDepth, 'add'>
}

/** Charges messages and stores them in the intake: those of one organisation, or of several. */
export function makeAccept<Item>(
  deps: AcceptDeps,
  draftOf: (item: Item) => Draft,
  /** Charges and stores a batch of one organisation. */
  acceptOne: (group: AcceptGroup, items: readonly Item[]) => Promise<Accepted>,
  /** What else is stored with the messages of an organisation. */
  beside: (items: readonly Item[]) => Pick<MessageBatch, 'otps'> = () => ({}),
): { storeSales: StoreSales<Item>; storeMany: StoreManySales<Item> | undefined } {
  const prepareGroup = ({ organisation_id, sales }: SaleGroup<Item>): ReservedGroup => {
    const items = sales.map(({ item }) => item)
    const { batch, reserved } = reserveRows(deps, items.map(draftOf))
    return { organisation_id, sales, batch: { ...batch, ...beside(items) }, reserved }
  }
  const storeMany: StoreManySales<Item> = (groups) =>
    storeAndSubmit(deps, groups.map(prepareGroup), (given) => acceptMany(deps.shared_db, given))
  return {
    async storeSales(organisation_id, sales) {
      const group = prepareGroup({ organisation_id, sales })
      const items = sales.map(({ item }) => item)
      const [accepted] = await storeAndSubmit(deps, [group], async () => [await acceptOne(group, items)])
      return theOne(accepted)
    },
    storeMany: byLayout(deps.db, { single_server: storeMany, cluster: undefined }),
  }
}

/** Charges messages that are nothing else. */
export function makeAcceptMessages(deps: AcceptDeps) {
  return makeAccept<Draft>(
    deps,
    (draft) => draft,
    (group) => acceptMessages(deps.db, group, true),
  )
}

type Reserved = { row: NewRow; submitter: ReservingSubmitter | undefined }
type ReservedGroup = AcceptGroup & { reserved: readonly Reserved[] }

/** Rows for the intake, and the submitters that have reserved capacity for them. */
function reserveRows(
  deps: AcceptDeps,
  drafts: readonly Draft[],
): { batch: MessageBatch; reserved: readonly Reserved[] } {
  const { rows, stored } = fillRows(drafts)
  const reserved = rows.map((row) => {
    const submitter = deps.submittersOf(row.route).find((one) => one.reserve(row))
    row.leased = submitter !== undefined
    return { row, submitter }
  })
  return { batch: { rows, stored }, reserved }
}

/**
 * Stores messages with `write` and starts their submission. A row that this process has capacity for is stored as leased,
 * and submitted after the commit; if the process dies in between, the lease expires and another process claims the row.
 * For the other rows, and for leased rows whose write took too long or found too many opt-outs, the submitters of all
 * processes are woken.
 */
async function storeAndSubmit(
  deps: AcceptDeps,
  groups: readonly ReservedGroup[],
  write: (groups: readonly AcceptGroup[]) => Promise<readonly (Accepted | undefined)[]>,
): Promise<readonly (Accepted | undefined)[]> {
  const began = performance.now()
  let results: readonly (Accepted | undefined)[]
  try {
    for (const { organisation_id, batch } of groups) await storeLinks(deps.db, organisation_id, batch)
    results = await write(groups)
  } catch (fault) {
    for (const group of groups) {
      abandon(group)
      // It may be stored all the same, as leased. Only this process knows that nothing of it was submitted.
      if (mayHaveBeenDone(fault)) void release(deps, group, { until_found: true })
    }
    throw fault
  }
  const in_time = performance.now() - began < TOO_LATE_MS
  for (const [n, group] of groups.entries()) {
    const accepted = results[n]
    if (accepted) startSubmission(deps, group, accepted, in_time && hasAllOptouts(accepted))
    else abandon(group)
  }
  return results
}

/** Nothing of the group was stored. */
function abandon({ reserved }: ReservedGroup): void {
  for (const { row, submitter } of reserved) submitter?.startReserved(row.size, undefined)
}

/** Otherwise the rows are claimed like any others, which looks up each recipient. */
function hasAllOptouts({ opted_out }: Accepted): boolean {
  return (opted_out?.length ?? 0) < MAX_OPTED_OUT
}

/** With `directly` rows that are leased are submitted without a claim. */
function startSubmission(deps: AcceptDeps, group: ReservedGroup, accepted: Accepted, directly: boolean): void {
  const { organisation_id, reserved } = group
  const pending: NewRow[] = []
  for (const { row, submitter } of reserved) {
    const kept = chargedPart(row, accepted)
    if (kept && !(submitter && directly)) pending.push(row)
    submitter?.startReserved(row.size, kept && directly ? leaseRow(organisation_id, kept, accepted) : undefined)
  }
  for (const { size } of pending) deps.depth.add(organisation_id, size)
  wakeSubmitters(deps, organisation_id, pending)
  if (!directly) void release(deps, group, { until_found: false })
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
  { organisation_id, reserved }: ReservedGroup,
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
