/** Where the messages of a route wait for its first carrier. */
export function routeQueue(route: string): string {
  return `route:${route}`
}

/** Where they wait for each of its carriers. */
export function routeQueues(route: string, carriers: readonly string[]): string[] {
  return carriers.map((name, n) => (n === 0 ? routeQueue(route) : `${routeQueue(route)}>${name}`))
}

/** What wake-ups call the intake of a route. */
export function intakeQueue(route: string): string {
  return `intake:${route}`
}

/** Whose messages wait there, as a wake-up tells it. */
export function writeWaiting(priority: number, organisation_id: string): string {
  return `${priority} ${organisation_id}`
}

export function readWaiting(detail: string): { priority: number; organisation_id: string } | undefined {
  const [priority, organisation_id] = detail.split(' ')
  return organisation_id === undefined ? undefined : { priority: Number(priority), organisation_id }
}
