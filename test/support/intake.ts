import type { Db } from '../../src/db/connect.ts'
import { storeSubmissions } from '../../src/messaging/dispatch/store.ts'
import { routeQueue } from '../../src/messaging/dispatch/queues.ts'
import type { LeasedDelivery } from '../../src/messaging/intake/leased-row.ts'
import type * as submission from '../../src/messaging/submission.ts'
import { claimRows, countRows, recordIntake, type Claimed } from '../../src/messaging/intake/store.ts'

type Sent = submission.Sent<LeasedDelivery>
type Unsent = submission.Unsent<LeasedDelivery>

export const CARRIER = 'the carrier'

/** Claims everything of an organisation that is not leased, as a submitter does. */
export async function claimAll(db: Db, organisation_id: string): Promise<(Claimed & { route: string })[]> {
  const waiting = await db<{ route: string; priority: number }[]>`
    select distinct route, priority from intake
    where organisation_id = ${organisation_id} and (leased_until is null or leased_until <= now())
    order by priority, route`
  const claimed: (Claimed & { route: string })[] = []
  for (const { route, priority } of waiting) {
    for (;;) {
      const rows = await claimRows(db, organisation_id, { route, priority, budget: 1_000_000 })
      if (rows.length === 0) break
      claimed.push(...rows.map((one) => ({ ...one, route })))
    }
  }
  return claimed
}

/** Records the outcomes of some deliveries of one route, as their submitter does. */
export async function writeOutcomes(
  db: Db,
  route: string,
  { sent = [], unsent = [] }: { sent?: readonly Sent[]; unsent?: readonly Unsent[] },
): Promise<void> {
  const first = (sent[0] ?? unsent[0])?.delivery
  if (!first) return
  if (db.distributed) {
    const ids = sent.map(({ delivery, ids: own, report_due_s }) => ({
      ...delivery,
      ids: own,
      report_due_s,
      carrier: CARRIER,
    }))
    await storeSubmissions(db, first.row.organisation_id, ids)
  }
  const rows = countRows([...sent, ...unsent])
  await recordIntake(db, route, rows, sent, unsent)
  for (const [row, { count }] of rows) {
    row.left -= count
    row.opened = true
  }
}

/** A delivery that a carrier has accepted, with ids derived from the delivery. */
export function taken(delivery: LeasedDelivery, segments = 1): Sent {
  const { message_id, recipient } = delivery
  const ids = Array.from({ length: segments }, (_, n) => `${message_id}/${recipient}/${n + 1}`)
  return { delivery, carrier: CARRIER, ids, report_due_s: 3_600 }
}

/** A delivery that waits in the queue of its route, as after a temporary rejection. */
export function putOff(delivery: LeasedDelivery, route: string): Unsent {
  return { delivery, queue: routeQueue(route), delay_ms: 0 }
}

/**
 * Moves everything an organisation has in the intake to `deliveries`, as queued: for services without workers, and for
 * readers whose result must not depend on where a message is.
 */
export async function emptyIntake(db: Db, organisation_id: string): Promise<void> {
  for (const { route, granted } of await claimAll(db, organisation_id)) {
    await writeOutcomes(db, route, { unsent: granted.map((delivery) => putOff(delivery, route)) })
  }
}

/** As if a process had died while it leased everything in the intake. */
export async function loseAll(db: Db): Promise<void> {
  await db`update intake set submitted = size, claims = 1, leased_until = now()`
}
