import { makeIdleWait } from '../../queue/idle-wait.ts'
import { openBucket, returnTokens, takeTokens } from '../../queue/rate-store.ts'
import { LEASE_S, type Worker } from '../../queue/worker.ts'
import type { Log } from '../../values/log.ts'
import type { Seal } from '../../values/secrets/seal.ts'
import { cutOff, type LeasedDelivery, type LeasedRow } from '../intake/leased-row.ts'
import { findWaiting } from '../intake/poll-store.ts'
import { deleteRow, advanceRow } from '../intake/store.ts'
import type { SettleDeps } from '../settle/settle.ts'
import { PRIORITY } from '../draft.ts'
import { claimRowsOf } from './claim-rows.ts'
import type { Outcome } from './decide.ts'
import { makeHandOver } from './submit.ts'
import type { ReservingSubmitter } from './reserve.ts'
import { giveLease } from './leases.ts'
import { makeIntakeRecorder } from './record-intake.ts'
import type { DispatchTarget } from './target.ts'
import { makeTurns } from './round-robin.ts'
import { intakeQueue, readWaiting } from './queues.ts'

export type SubmitterDeps = SettleDeps & { log: Log; seal: Seal }
export type Submitter = Worker & ReservingSubmitter & { carrier: string; untilWritten(): Promise<unknown> }
export type SubmitterTarget = DispatchTarget & { route: string; room?: () => number }

/** Batches with a carrier at once: while one is written down, the next is handed over. */
const BATCHES = 2
/** The safety net behind the wake-ups: so often it is looked who has something that waits. */
const LOOK_EVERY_MS = 1_000
const KEEP_EVERY_MS = (LEASE_S * 1_000) / 3
/** For so long what waits, and the places for it, are let come together. */
const COLLECT_MS = 10
/** A route with a rate takes tokens so often while something waits. */
const TOKENS_EVERY_MS = 50
/** A carrier that is down for longer is likely to be for some time. */
const LET_GO_AFTER_MS = 1_000
/** Organisations asked at once. */
const ASKED_AT_ONCE = 4

/**
 * Takes what waits in the intake for a route and hands it to a carrier: urgent before bulk, the organisations in turn,
 * within the route's rate and the carrier's room. What the accepting process keeps a place for comes in without being
 * claimed.
 *
 * How far a row was handed over is written before it is; so whoever takes it from the dead knows what may be with the
 * carrier. Only a part of a row that waits for its turn stays here: urgent rows pass it.
 */
export function startSubmitter(deps: SubmitterDeps, target: SubmitterTarget): Submitter {
  const { carrier, route, rate_per_s } = target
  const limit = carrier.limit ?? BATCHES * carrier.batch
  const { record, untilWritten } = makeIntakeRecorder(deps, target)
  const handOver = makeHandOver(deps, target, (delivery, outcome) => void end(delivery, outcome))
  const turns = makeTurns()
  const idle = makeIdleWait()
  /** Rows in hand; those with deliveries that wait for their turn, in that order, are also in `begun`. */
  const rows = new Map<LeasedRow, number>()
  let begun: LeasedRow[] = []
  /** They and the organisations that wait beside them take turns. */
  let is_turn_of_begun = false
  let in_flight = 0
  let looked_at = -Infinity
  let fed_at = -Infinity
  let later: NodeJS.Timeout | undefined
  let running = true

  const unsubscribe = deps.wakeups.onWake(intakeQueue(route), (detail) => {
    const waiting = readWaiting(detail)
    if (waiting) turns.add(waiting.priority, waiting.organisation_id)
    idle.wake()
  })
  const keeper = setInterval(() => void keepLeases(), KEEP_EVERY_MS)
  const finished = loop()

  const free = (): number => Math.min(limit - in_flight, target.room?.() ?? carrier.room?.() ?? limit)

  async function loop(): Promise<void> {
    let ready = rate_per_s === undefined
    while (running) {
      idle.reset()
      let handed = 0
      try {
        if (!ready) await openBucket(deps.db, target.queue, rate_per_s ?? 0)
        ready = true
        await look()
        await letGo()
        handed = await feed()
      } catch (fault) {
        if (running) deps.log.warn({ route, err: fault }, 'taking messages from the intake failed')
      }
      if (!running) break
      if (rate_per_s !== undefined && isWaiting()) await new Promise((resolve) => setTimeout(resolve, TOKENS_EVERY_MS))
      else if (handed === 0) await idle.wait(LOOK_EVERY_MS)
    }
  }

  /** Anything waits that could be handed over. */
  const isWaiting = (): boolean => begun.length > 0 || turns.first !== undefined

  /** A statement for every place that becomes free would be dear: half of them go together, or what a moment brings. */
  function isWorthwhile(): boolean {
    return (
      in_flight === 0 || free() >= limit / 2 || performance.now() - fed_at >= COLLECT_MS || turns.first === PRIORITY.otp
    )
  }

  function wakeWhenWorthwhile(): void {
    if (!running || isWorthwhile()) idle.wake()
    else {
      later ??= setTimeout(() => {
        later = undefined
        idle.wake()
      }, COLLECT_MS)
    }
  }

  async function look(): Promise<void> {
    if (performance.now() - looked_at < LOOK_EVERY_MS) return
    for (const { priority, organisation_id } of await findWaiting(deps.db, route)) turns.add(priority, organisation_id)
    looked_at = performance.now()
  }

  /** Rows that wait here for a carrier that is down are let go: those who stand in for it may take them. */
  async function letGo(): Promise<void> {
    if (begun.length === 0 || (carrier.downFor?.() ?? 0) < LET_GO_AFTER_MS) return
    const idle = begun.filter(({ open }) => open === 0)
    begun = begun.filter(({ open }) => open > 0)
    for (const row of idle) rows.delete(row)
    await giveLease(deps, idle, 0)
  }

  /** Hands over what there is room for, and says how much that was. */
  async function feed(): Promise<number> {
    const room = free()
    if (room <= 0 || !isWaiting()) return 0
    if (!isWorthwhile()) {
      wakeWhenWorthwhile()
      return 0
    }
    fed_at = performance.now()
    const allowed = rate_per_s === undefined ? room : await takeTokens(deps.db, target.queue, rate_per_s, room)
    let left = allowed
    in_flight += allowed // nobody else may count on it meanwhile
    try {
      while (left > 0 && running) {
        const ready = await gather(left)
        if (ready === undefined) break
        left -= ready.length
        submit(ready)
      }
    } finally {
      in_flight -= left
      if (rate_per_s !== undefined && left > 0) await returnTokens(deps.db, target.queue, left)
    }
    return allowed - left
  }

  /** The next deliveries whose turn it is, already written down as handed over; undefined when nothing waits. */
  async function gather(budget: number): Promise<LeasedDelivery[] | undefined> {
    const [row] = begun
    const due = turns.first ?? Infinity
    if (row && (row.priority < due || (row.priority === due && is_turn_of_begun))) return handOnRow(row, budget)
    const asked = askNext(due, budget)
    if (asked.length === 0) return row && handOnRow(row, budget)
    is_turn_of_begun = true
    const found = await Promise.all(asked.map(({ organisation_id, share }) => claimOwn(organisation_id, due, share)))
    return found.flat()
  }

  /** Whose turn it is, each with a share. Who has a row here that is not done goes on with that one. */
  function askNext(priority: number, budget: number): { organisation_id: string; share: number }[] {
    const passed = new Set(begun.filter((row) => row.priority === priority).map((row) => row.organisation_id))
    const asked: { organisation_id: string; share: number }[] = []
    let unasked = budget
    while (asked.length < ASKED_AT_ONCE && unasked > 0) {
      const turn = turns.next(priority, passed)
      if (!turn) break
      const share = Math.min(unasked, Math.ceil(budget / Math.min(turn.among, ASKED_AT_ONCE)))
      asked.push({ organisation_id: turn.organisation_id, share })
      passed.add(turn.organisation_id)
      unasked -= share
    }
    return asked
  }

  async function claimOwn(organisation_id: string, priority: number, budget: number): Promise<LeasedDelivery[]> {
    const claimed = await claimRowsOf(deps, organisation_id, { route, priority, budget })
    const fresh = claimed.filter(({ row }) => !isOurs(row))
    const ready = fresh.flatMap(({ granted }) => granted)
    if (ready.length < budget) turns.remove(priority, organisation_id)
    for (const { row } of fresh) {
      if (row.left === 0) await deleteRow(deps.db, row).catch(() => {}) // whoever claims it next ends it
      else {
        rows.set(row, performance.now())
        if (row.handed < row.deliveries.length) putBehind(row)
      }
    }
    return ready
  }

  /**
   * Its lease ended while the database was away, and all of it is with the carrier still, or is being written down: this
   * claim only keeps it for us. Those that wait for their turn are not claimed, see `askNext`.
   */
  function isOurs({ id, claims }: LeasedRow): boolean {
    const held = claims > 1 && [...rows.keys()].find((row) => row.id === id)
    if (held) held.claims = claims
    return Boolean(held)
  }

  async function handOnRow(row: LeasedRow, budget: number): Promise<LeasedDelivery[]> {
    begun = begun.filter((one) => one !== row)
    is_turn_of_begun = false
    const wanted = Math.min(row.deliveries.length, row.handed + budget)
    const granted = await advanceRow(deps.db, row, wanted).catch((fault: unknown) => {
      putBehind(row) // it may be written by now; asked again, it gives the same
      throw fault
    })
    if (granted === undefined) {
      rows.delete(row)
      return []
    }
    if (granted < wanted) cutOff(row, granted)
    const ready = row.deliveries.slice(row.handed, granted)
    row.handed = granted
    if (row.handed < row.deliveries.length) putBehind(row)
    else if (row.open === 0 && ready.length === 0) await endCut(row)
    return ready
  }

  /** Nothing of the row is under way and its rest was taken back. If this fails, whoever claims it next ends it. */
  async function endCut(row: LeasedRow): Promise<void> {
    rows.delete(row)
    if (row.left === 0) await deleteRow(deps.db, row)
  }

  /** By priority, and behind the others of its own: the organisations take turns. */
  function putBehind(row: LeasedRow): void {
    const at = begun.findIndex(({ priority }) => priority > row.priority)
    begun.splice(at < 0 ? begun.length : at, 0, row)
  }

  /** From here on the deliveries are counted in `in_flight` until what became of them is written. */
  function submit(deliveries: readonly LeasedDelivery[]): void {
    for (const { row } of deliveries) row.open += 1
    for (let n = 0; n < deliveries.length; n += carrier.batch) void handOver(deliveries.slice(n, n + carrier.batch))
  }

  async function end(delivery: LeasedDelivery, outcome: Outcome): Promise<void> {
    await record({ delivery, outcome })
    in_flight -= 1
    const { row } = delivery
    row.open -= 1
    if (row.open === 0 && row.handed === row.deliveries.length) rows.delete(row)
    if (!running || isWaiting()) wakeWhenWorthwhile()
  }

  /** Work that takes longer than a lease keeps its rows; most is done before the first of these. */
  async function keepLeases(): Promise<void> {
    const slow = [...rows].filter(([, since]) => performance.now() - since > KEEP_EVERY_MS / 2).map(([row]) => row)
    await giveLease(deps, slow, LEASE_S)
  }

  return {
    carrier: carrier.name,
    untilWritten,
    reserve({ priority, size }) {
      if (!running || rate_per_s !== undefined || looked_at < 0) return false
      const first = turns.first ?? Infinity
      if (first <= priority || begun.some((row) => row.priority <= priority) || free() < size) return false
      in_flight += size
      return true
    },
    startReserved(size, row) {
      if (!row) {
        in_flight -= size
        return
      }
      in_flight -= size - row.deliveries.length
      rows.set(row, performance.now())
      submit(row.deliveries)
    },
    async stop() {
      running = false
      unsubscribe()
      clearTimeout(later)
      idle.wake()
      await finished
      for (idle.reset(); in_flight > 0; idle.reset()) await idle.wait(LOOK_EVERY_MS)
      clearInterval(keeper)
      await giveLease(deps, begun, 0)
    },
  }
}
