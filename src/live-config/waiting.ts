import type { Db } from '../db/connect.ts'
import { measureRouteBacklogs } from '../messaging/dispatch/queue-depth.ts'
import { routeQueue } from '../messaging/dispatch/queues.ts'
import { Refusal } from '../values/refusal.ts'
import type { EntryChange } from './schema.ts'

/** Refuses to delete a route that messages wait for: nothing would submit them. */
export async function refuseWaiting({ db }: { db: Db }, changes: readonly EntryChange[]): Promise<void> {
  const deleted = changes.filter(({ kind, change }) => kind === 'route' && change === 'deleted')
  if (deleted.length === 0) return
  const backlogs = await measureRouteBacklogs(db)
  for (const { name } of deleted) {
    const own = backlogs.filter(({ queue }) => queue === routeQueue(name) || queue.startsWith(`${routeQueue(name)}>`))
    const count = own.reduce((sum, { due, leased, postponed }) => sum + due + leased + postponed, 0)
    if (count === 0) continue
    const what = count === 1 ? 'A message waits' : `${count.toLocaleString('en')} messages wait`
    throw new Refusal('conflict', `${what} for the route ${name}: wait, or move them with gangan messages move.`)
  }
}
