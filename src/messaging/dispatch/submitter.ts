import { isUnreachable } from '../../db/layout.ts'
import { startClaimLoop } from '../../queue/claim-loop.ts'
import { LEASE_S } from '../../queue/leases.ts'
import type { Worker } from '../../queue/worker.ts'
import { groupBy } from '../../values/group.ts'
import { PRIORITY } from '../draft.ts'
import { truncateRow, type LeasedDelivery, type LeasedRow } from '../intake/leased-row.ts'
import { findPending } from '../intake/poll-store.ts'
import { advanceRow, claimRows, deleteRow, extendRowLeases, type Claimed } from '../intake/store.ts'
import { makeLanes, type ChooseLane, type Lanes } from './lanes.ts'
import { intakeTopic, readPending } from './queues.ts'
import type { DispatchDeps } from './retry-worker.ts'
import { makeRoundRobin } from './round-robin.ts'
import { downFor, type DispatchTarget } from './target.ts'

/** Submits messages of a route in this process, and accepts rows of the intake without a claim. */
export type ReservingSubmitter = {
  /** Reserves capacity for this many deliveries; false if there is none, or if earlier messages are pending. */
  reserve(wanted: { priority: number; size: number }): boolean
  /** Submits the row the capacity was reserved for, stored as leased by this process; undefined: releases it. */
  startReserved(size: number, row: LeasedRow | undefined): void
}

/** The submitters of a route in this process. */
export type SubmittersOf = (route: string) => readonly ReservingSubmitter[]

export type Submitter = Worker & ReservingSubmitter & Pick<Lanes, 'untilWritten'> & { carriers: readonly string[] }

/** What a submitter submits to: one carrier, or several of which `choose` names one for each delivery. */
export type SubmitterTarget = {
  route: string
  queue: string
  rate_per_s?: number | undefined
  lanes: readonly DispatchTarget[]
  choose?: ChooseLane | undefined
}

/** Interval of the fallback poll; normally a wake-up arrives first. */
const POLL_INTERVAL_MS = 1_000
/** How long to wait for a batch to fill before submitting a partial one. */
const BATCH_FILL_MS = 10
/** Interval at which a route with a rate limit takes tokens while messages are pending. */
const TOKEN_INTERVAL_MS = 50
/** A carrier that is down for longer than this releases the rows leased for it. */
const RELEASE_AFTER_DOWN_MS = 1_000
/** Organisations whose rows are claimed concurrently. */
const CONCURRENT_CLAIMS = 4

/**
 * Submits the accepted messages of one route to one carrier, or each to the carrier that is chosen for it.
 *
 * Order: by priority, then organisations in round robin. Bounded by the route's rate and the carriers' free capacity.
 * Crash safety: a row's progress (`submitted`) is stored before its deliveries are submitted, so the process that takes over
 * an expired lease knows which deliveries the carrier may already have.
 *
 * States: those of `claim-loop.ts`, which claims, polls and keeps the leases. A row is `started` from its claim until its
 * last delivery is submitted; only the rest of a row that exceeds the free capacity waits here, and urgent rows pass it.
 */
export function startSubmitter(deps: DispatchDeps, target: SubmitterTarget): Submitter {
  const { route, rate_per_s } = target
  const lanes = makeLanes(deps, route, target.lanes, target.choose, release)
  const pending = makeRoundRobin()
  /** Leased rows with deliveries that are not submitted yet: by priority, and within one in round robin. */
  let started_rows: LeasedRow[] = []
  /** Deliveries of rows that were stored as leased, in one write for many organisations: they are submitted together. */
  const reserved: LeasedDelivery[] = []
  /** Started rows and organisations of the same priority alternate. */
  let is_turn_of_started = false
  let in_flight = 0
  let has_polled = false
  let claimed_at = -Infinity

  const free = (priority = pending.first): number =>
    Math.min(lanes.limit - in_flight, lanes.capacity(priority === PRIORITY.otp))
  const isDown = (): boolean => target.lanes.every((lane) => downFor(lane) >= RELEASE_AFTER_DOWN_MS)
  const isPending = (): boolean => started_rows.length > 0 || pending.first !== undefined

  const loop = startClaimLoop<LeasedRow>(deps, {
    queue: target.queue,
    rate_per_s,
    topic: intakeTopic(route),
    onWake(detail) {
      const one = readPending(detail)
      if (one) pending.add(one.priority, one.organisation_id)
    },
    poll: { interval_ms: POLL_INTERVAL_MS, find: poll },
    demand() {
      if (free() <= 0 || !isPending()) return 0
      if (isBatchReady()) return free()
      loop.wakeSoon()
      return 0
    },
    claim: claimAndSubmit,
    pauseMs: (started) => (rate_per_s !== undefined && isPending() ? TOKEN_INTERVAL_MS : started > 0 ? 0 : undefined),
    inFlight: () => in_flight,
    renew: (rows) => setLeases(rows, LEASE_S),
  })

  /** One claim for every delivery whose capacity is released would be expensive: a claim waits for half of the limit. */
  function isBatchReady(): boolean {
    const now = performance.now()
    return (
      in_flight === 0 ||
      free() >= lanes.limit / 2 ||
      now - claimed_at >= BATCH_FILL_MS ||
      pending.first === PRIORITY.otp
    )
  }

  async function poll(): Promise<boolean> {
    for (const { priority, organisation_id } of await findPending(deps.db, route))
      pending.add(priority, organisation_id)
    has_polled = true
    if (started_rows.length === 0 || !isDown()) return isPending()
    const idle = started_rows.filter(({ open }) => open === 0)
    started_rows = started_rows.filter(({ open }) => open > 0)
    for (const row of idle) loop.leases.release(row)
    await setLeases(idle, 0) // the route's other carriers may claim them
    return true
  }

  async function claimAndSubmit(budget: number, started: (deliveries: number) => void): Promise<void> {
    claimed_at = performance.now()
    let left = budget
    in_flight += budget // reserved until it is known how much is used
    try {
      while (left > 0 && loop.state !== 'draining') {
        const ready = await nextDeliveries(left)
        if (ready === undefined) break
        left -= ready.length
        started(ready.length)
        submitAll(ready)
      }
    } finally {
      in_flight -= left
    }
  }

  /** The next deliveries, whose progress is already stored; undefined: nothing is pending. */
  async function nextDeliveries(budget: number): Promise<LeasedDelivery[] | undefined> {
    const [row] = started_rows
    const due = pending.first ?? Infinity
    if (row && (row.priority < due || (row.priority === due && is_turn_of_started))) return advance(row, budget)
    const claims = shareBudget(due, budget)
    if (claims.length === 0) return row && advance(row, budget)
    is_turn_of_started = true
    const found = await Promise.all(claims.map(({ organisation_id, share }) => claimOf(organisation_id, due, share)))
    return found.flat()
  }

  /** The next organisations, each with its share. One that has a started row continues with that row instead. */
  function shareBudget(priority: number, budget: number): { organisation_id: string; share: number }[] {
    const excluded = new Set(started_rows.filter((row) => row.priority === priority).map((row) => row.organisation_id))
    const claims: { organisation_id: string; share: number }[] = []
    let left = budget
    while (claims.length < CONCURRENT_CLAIMS && left > 0) {
      const next = pending.next(priority, excluded)
      if (!next) break
      const share = Math.min(left, Math.ceil(budget / Math.min(next.among, CONCURRENT_CLAIMS)))
      claims.push({ organisation_id: next.organisation_id, share })
      excluded.add(next.organisation_id)
      left -= share
    }
    return claims
  }

  async function claimOf(organisation_id: string, priority: number, budget: number): Promise<LeasedDelivery[]> {
    const claimed = await tryClaim(organisation_id, priority, budget)
    const fresh = claimed.filter(({ row }) => !isLeasedHere(row))
    const ready = fresh.flatMap(({ granted }) => granted)
    if (ready.length < budget) pending.remove(priority, organisation_id)
    for (const { row } of fresh) {
      if (row.left === 0) await deleteRow(deps.db, row).catch(() => {}) // the next claim deletes it
      else {
        loop.leases.add(row)
        if (row.submitted < row.deliveries.length) requeue(row)
      }
    }
    return ready
  }

  /**
   * None if the claim fails. Claims of other organisations run concurrently, and what they return is stored as submitted:
   * it has to be submitted, whatever becomes of this one.
   */
  async function tryClaim(organisation_id: string, priority: number, budget: number): Promise<Claimed[]> {
    try {
      if (await isUnreachable(deps.db, organisation_id)) return []
      return await claimRows(deps.db, organisation_id, { route, priority, budget })
    } catch (fault) {
      deps.log.warn({ route, organisation_id, err: fault }, 'claiming messages of an organisation failed')
      return []
    }
  }

  /**
   * The row's lease expired while the database was unreachable, but all of it is still in flight here: this claim renews it.
   * Started rows are not claimed, see `shareBudget`.
   */
  function isLeasedHere({ id, claims }: LeasedRow): boolean {
    const held = claims > 1 ? loop.leases.find((row) => row.id === id) : undefined
    if (held) held.claims = claims
    return held !== undefined
  }

  /** The next deliveries of a started row. */
  async function advance(row: LeasedRow, budget: number): Promise<LeasedDelivery[]> {
    started_rows = started_rows.filter((one) => one !== row)
    is_turn_of_started = false
    const wanted = Math.min(row.deliveries.length, row.submitted + budget)
    const granted = await advanceRow(deps.db, row, wanted).catch((fault: unknown) => {
      requeue(row) // it may be stored; repeated, it returns the same
      throw fault
    })
    if (granted === undefined) {
      loop.leases.release(row)
      return []
    }
    if (granted < wanted) truncateRow(row, granted)
    const ready = row.deliveries.slice(row.submitted, granted)
    row.submitted = granted
    if (row.submitted < row.deliveries.length) requeue(row)
    else if (row.open === 0 && ready.length === 0) {
      // Nothing of it is in flight and the rest was canceled. If the deletion fails, the next claim deletes it.
      loop.leases.release(row)
      if (row.left === 0) await deleteRow(deps.db, row)
    }
    return ready
  }

  /** Behind the other started rows of its priority. */
  function requeue(row: LeasedRow): void {
    const at = started_rows.findIndex(({ priority }) => priority > row.priority)
    started_rows.splice(at < 0 ? started_rows.length : at, 0, row)
  }

  /** The deliveries count as in flight until their outcome is recorded. */
  function submitAll(deliveries: readonly LeasedDelivery[]): void {
    for (const { row } of deliveries) row.open += 1
    lanes.submit(deliveries)
  }

  function release({ row }: LeasedDelivery): void {
    in_flight -= 1
    row.open -= 1
    if (row.open === 0 && row.submitted === row.deliveries.length) loop.leases.release(row)
    if (loop.state !== 'draining' && !isPending()) return
    if (isBatchReady()) loop.wake()
    else loop.wakeSoon()
  }

  /** Extends the leases of rows, or releases them with 0 seconds. A failure is left to the expiry of the lease. */
  async function setLeases(rows: readonly LeasedRow[], lease_s: number): Promise<void> {
    const groups = [...groupBy(rows, (row) => row.organisation_id)]
    await Promise.all(
      groups.map(([organisation_id, own]) =>
        extendRowLeases(deps.db, organisation_id, own, lease_s).catch((fault: unknown) => {
          deps.log.warn({ route, organisation_id, err: fault }, 'extending the leases of intake rows failed')
        }),
      ),
    )
  }

  return {
    carriers: target.lanes.map(({ carrier }) => carrier.name),
    untilWritten: lanes.untilWritten,
    reserve({ priority, size }) {
      if (loop.state === 'draining' || rate_per_s !== undefined || !has_polled) return false
      const first = pending.first ?? Infinity
      if (first <= priority || started_rows.some((row) => row.priority <= priority) || free(priority) < size)
        return false
      in_flight += size
      return true
    },
    startReserved(size, row) {
      in_flight -= size - (row?.deliveries.length ?? 0)
      if (!row) return
      loop.leases.add(row)
      if (reserved.length === 0) queueMicrotask(() => submitAll(reserved.splice(0)))
      for (const delivery of row.deliveries) reserved.push(delivery)
    },
    async stop() {
      await loop.stop()
      await setLeases(started_rows, 0)
    },
  }
}
