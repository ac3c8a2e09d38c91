/** The route of test organisations, to the simulator. No configured name has a colon. */
export const TEST_ROUTE = 'test:simulator'

/** The queue of retries for a route's first carrier. */
export function routeQueue(route: string): string {
  return `route:${route}`
}

/** The queues of retries for each carrier of a route, in the order in which the carriers are tried. */
export function routeQueues(route: string, carriers: readonly string[]): string[] {
  return carriers.map((name, n) => (n === 0 ? routeQueue(route) : `${routeQueue(route)}>${name}`))
}

/** The route of a queue, and after `>` the carrier if it is not the first one. */
export function routeOf(queue: string): string {
  return queue.slice(routeQueue('').length)
}

/** Routes such as the one of test keys. No configured name contains a colon. */
export function isInternal(route: string): boolean {
  return route.includes(':')
}

/** The topic of wake-ups for new messages of a route. */
export function intakeTopic(route: string): string {
  return `intake:${route}`
}

/** The detail of such a wake-up: the organisation with pending messages, and their priority. */
export function writePending(priority: number, organisation_id: string): string {
  return `${priority} ${organisation_id}`
}

export function readPending(detail: string): { priority: number; organisation_id: string } | undefined {
  const [priority, organisation_id] = detail.split(' ')
  return organisation_id === undefined ? undefined : { priority: Number(priority), organisation_id }
}
