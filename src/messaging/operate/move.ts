import type { Db, Tx } from '../../db/connect.ts'
import { transaction } from '../../db/transaction.ts'
import { recordAudit, type Actor } from '../../users/audit.ts'
import { groupBy } from '../../values/group.ts'
import { Refusal } from '../../values/refusal.ts'
import { routeQueue, routeQueues } from '../dispatch/queues.ts'
import { PRIORITY } from '../draft.ts'
import { claimRowsIn, countRows, recordIntake } from '../intake/store.ts'
import { carriersOf, type RouteSettings } from '../settings.ts'
import {
  countLeft,
  listOrganisationsOf,
  listQueues,
  listScheduledJobs,
  moveRetries,
  moveRows,
  moveScheduled,
  releaseClaimed,
  type ScheduledJob,
} from './move-store.ts'

/** Rows of the intake, and retries, moved in one transaction. */
const SLICE = 500
/** Recipients of rows that were begun. */
const BEGUN_SLICE = 256
/** Scheduled messages moved in one transaction. Small, because one may have ten thousand recipients. */
const SCHEDULED_SLICE = 20

export type Moved = {
  /** Recipients that were never tried, and retries. */
  waiting: number
  retries: number
  /** Recipients of messages that are not due yet. */
  scheduled: number
  /** Recipients that stay: a process has them, or a carrier may. */
  in_flight: number
  possibly_sent: number
}

/**
 * Moves what waits for one route to another, at the price that was charged. Deliveries that a process is submitting, or
 * that a carrier may have, stay. In slices, each a transaction: repeated after a crash, it continues.
 */
export async function moveWaiting(
  { db, routes }: { db: Db; routes: readonly RouteSettings[] },
  who: Actor,
  { from, to, with_scheduled = false }: { from: string; to: string; with_scheduled?: boolean },
  onProgress: (moved: number) => void = () => {},
): Promise<Moved> {
  const target = requireTarget(routes, from, to)
  const queues = await queuesOf(db, routes, from)
  await recordAudit(db, who, { organisation_id: null, action: 'route.move', subject: from, after: { to } })
  const moved = { waiting: 0, retries: 0, scheduled: 0 }
  const note = (kind: keyof typeof moved, count: number): void => {
    moved[kind] += count
    onProgress(moved.waiting + moved.retries + moved.scheduled)
  }
  const to_queue = routeQueue(target.name)
  // First the scheduled ones: what becomes due meanwhile is a retry below.
  if (with_scheduled) await moveEachScheduled(db, { from, to }, (count) => note('scheduled', count))
  for (const organisation_id of await listOrganisationsOf(db, from, queues)) {
    await eachSlice(
      db,
      async (tx) => {
        const { rows, recipients } = await moveRows(tx, organisation_id, { from, to }, SLICE)
        return { done: rows < SLICE, moved: recipients }
      },
      (count) => note('waiting', count),
    )
    for (const priority of Object.values(PRIORITY)) {
      await eachSlice(
        db,
        (tx) => moveBegun(tx, organisation_id, { from, to, priority }),
        (count) => note('waiting', count),
      )
    }
    await eachSlice(
      db,
      async (tx) => {
        const retries = await moveRetries(tx, organisation_id, { queues, to, to_queue }, SLICE)
        return { done: retries < SLICE, moved: retries }
      },
      (count) => note('retries', count),
    )
  }
  return { ...moved, ...(await countLeft(db, from, queues)) }
}

async function moveEachScheduled(
  db: Db,
  routes: { from: string; to: string },
  note: (moved: number) => void,
): Promise<void> {
  let after: ScheduledJob | undefined
  do {
    const jobs = await listScheduledJobs(db, after, SCHEDULED_SLICE)
    for (const [organisation_id, own] of groupBy(jobs, (job) => job.organisation_id)) {
      const ids = [...new Set(own.map(({ message_id }) => message_id))]
      note(await transaction(db, (tx) => moveScheduled(tx, organisation_id, ids, routes)))
    }
    after = jobs.at(-1)
  } while (after)
}

async function eachSlice(
  db: Db,
  move: (tx: Tx) => Promise<{ done: boolean; moved: number }>,
  note: (moved: number) => void,
): Promise<void> {
  for (let is_done = false; !is_done;) {
    const { done, moved } = await transaction(db, move)
    note(moved)
    is_done = done
  }
}

/**
 * Rows of which a part was submitted: the rest becomes retries of the other route, in the transaction of the claim. What was
 * submitted and not recorded stays in its row, for the next claim to decide, as after a crash.
 */
async function moveBegun(
  tx: Tx,
  organisation_id: string,
  { from, to, priority }: { from: string; to: string; priority: number },
): Promise<{ done: boolean; moved: number }> {
  const claimed = await claimRowsIn(tx, organisation_id, { route: from, priority, budget: BEGUN_SLICE })
  const untried = claimed.flatMap(({ granted }) => granted).filter(({ interrupted }) => !interrupted)
  if (untried.length > 0) {
    const unsent = untried.map((delivery) => ({ delivery, queue: routeQueue(to), delay_ms: 0 }))
    await recordIntake(tx, to, countRows(unsent), [], unsent)
  }
  const begun = new Set(untried.map(({ row }) => row))
  const rows = claimed.map(({ row }) => ({ id: row.id, is_taken: begun.has(row) }))
  await releaseClaimed(tx, organisation_id, rows)
  return { done: untried.length === 0, moved: untried.length }
}

function requireTarget(routes: readonly RouteSettings[], from: string, to: string): RouteSettings {
  const target = routes.find(({ name }) => name === to)
  if (!target) throw new Refusal('not_found', `The configuration has no route ${to}; gangan routes list shows them.`)
  if (from === to) throw new Refusal('invalid_request', 'A route cannot be moved to itself.')
  const source = routes.find(({ name }) => name === from)
  // WhatsApp messages can be sent as SMS, but not the reverse.
  if (target.channel !== 'sms' && source?.channel !== target.channel) {
    throw new Refusal('invalid_request', `${to} sends ${target.channel}; what waits for ${from} may be SMS.`)
  }
  return target
}

/** The queues of the route: as configured, or as its jobs name them if it is not configured any more. */
async function queuesOf(db: Db, routes: readonly RouteSettings[], from: string): Promise<string[]> {
  const source = routes.find(({ name }) => name === from)
  const known = await listQueues(db, from)
  return [...new Set([...known, ...(source ? routeQueues(from, carriersOf(source)) : [])])]
}
