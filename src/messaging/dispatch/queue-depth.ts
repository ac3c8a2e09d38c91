import type { Db } from '../../db/connect.ts'
import { measureBacklogs, measureQueues, type Backlog } from '../../queue/depth-store.ts'
import { measureRoutes, type RouteBacklog } from '../intake/poll-store.ts'
import { routeQueue } from './queues.ts'

export type QueueDepth = { queue: string; depth: number; oldest_s: number }

/** Depth and age of every queue. New messages of a route, which are in the intake, count towards the route's queue. */
export async function measureQueueDepths(db: Db): Promise<QueueDepth[]> {
  const [queues, routes] = await Promise.all([measureQueues(db), measureRoutes(db)])
  const all = new Map(queues.map((one) => [one.queue, one]))
  for (const { route, waiting, leased, oldest_s } of routes) {
    const queue = routeQueue(route)
    const known = all.get(queue) ?? { queue, depth: 0, oldest_s: 0 }
    all.set(queue, { queue, depth: known.depth + waiting + leased, oldest_s: Math.max(known.oldest_s, oldest_s) })
  }
  return [...all.values()]
}

/** The backlog of each carrier of each route. */
export async function measureRouteBacklogs(db: Db): Promise<Backlog[]> {
  const [queues, routes] = await Promise.all([measureBacklogs(db, routeQueue('')), measureRoutes(db)])
  const all = new Map(queues.map((one) => [one.queue, one]))
  for (const route of routes) {
    const queue = routeQueue(route.route)
    all.set(queue, addIntake(queue, all.get(queue), route))
  }
  return [...all.values()].sort((a, b) => (a.queue < b.queue ? -1 : 1))
}

function addIntake(queue: string, known: Backlog | undefined, route: RouteBacklog): Backlog {
  const { due = 0, leased = 0, postponed = 0, due_since = null, next_try = null, oldest_s = 0 } = known ?? {}
  return {
    queue,
    due: due + route.waiting,
    leased: leased + route.leased,
    postponed,
    due_since: due_since !== null && due_since < route.since ? due_since : route.since,
    next_try,
    oldest_s: Math.max(oldest_s, route.oldest_s),
  }
}
