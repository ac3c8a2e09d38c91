import type { Db } from '../../db/connect.ts'
import { transaction } from '../../db/transaction.ts'
import { routeQueue, routeQueues } from '../dispatch/queues.ts'
import { carriersOf, type RouteSettings } from '../settings.ts'
import { listOrganisationsOf, listQueues, moveRetries } from './move-store.ts'

/** Retries moved in one transaction. */
const SLICE = 500

/**
 * Moves retries that wait for a carrier which the route does not name any more to the first carrier of the route. A delivery
 * that a carrier may have stays.
 */
export async function rehomeRetries({ db }: { db: Db }, routes: readonly RouteSettings[]): Promise<void> {
  for (const route of routes) {
    const { name: to } = route
    const served = routeQueues(to, carriersOf(route))
    const queues = (await listQueues(db, to)).filter((queue) => !served.includes(queue))
    if (queues.length === 0) continue
    const target = { queues, to, to_queue: routeQueue(to) }
    for (const organisation_id of await listOrganisationsOf(db, to, queues)) {
      for (let moved = SLICE; moved === SLICE;) {
        moved = await transaction(db, (tx) => moveRetries(tx, organisation_id, target, SLICE))
      }
    }
  }
}
