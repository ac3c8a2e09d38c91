import { AIRTIME_QUEUE } from '../airtime/store.ts'
import { CALLBACK_QUEUE } from '../callbacks/enqueue.ts'
import { CAMPAIGN_QUEUE } from '../campaigns/queues.ts'
import { readLastBackup } from '../db/backup/store.ts'
import { measureConnections } from '../db/connections.ts'
import { measureQueueDepths } from '../messaging/dispatch/queue-depth.ts'
import { SCHEDULE_QUEUE } from '../messaging/schedule/store.ts'
import { isSameSecret } from '../values/secrets/same-secret.ts'
import type { HttpDeps } from './deps.ts'

export type MetricsDeps = Pick<HttpDeps, 'db' | 'meters' | 'readHolds' | 'gatherMetrics'>

/** Told from the first moment on; others, such as those of routes, once something was in them. */
const QUEUES = [CALLBACK_QUEUE, SCHEDULE_QUEUE, CAMPAIGN_QUEUE, AIRTIME_QUEUE]

/** Tells the figures. Who asks meanwhile gets the same: they are put together in several steps, and cost some milliseconds. */
export function makeTellMetrics(deps: MetricsDeps): () => Promise<string> {
  let telling: Promise<string> | undefined
  const queues = new Set(QUEUES)
  return () => (telling ??= tellMetrics(deps, queues).finally(() => (telling = undefined)))
}

/** Where a token is set, whoever reads the figures brings it, as Prometheus does: `Bearer` and the token. */
export function mayReadMetrics({ token }: { token: string | undefined }, authorization: string | undefined): boolean {
  if (token === undefined) return true
  const given = /^Bearer +(\S{1,1024})$/i.exec(authorization ?? '')?.[1]
  return given !== undefined && isSameSecret(given, token)
}

async function tellMetrics(deps: MetricsDeps, queues: Set<string>): Promise<string> {
  await measure(deps, queues).catch(() => {}) // without the database the process's own figures still count
  for (const { name, is_away } of deps.db.nodes.known) deps.meters.database_node_up.set({ node: name }, is_away ? 0 : 1)
  const text = await deps.gatherMetrics()
  forget(deps)
  return text
}

async function measure({ db, meters, readHolds }: MetricsDeps, queues: Set<string>): Promise<void> {
  const [waiting, connections, holds, backup] = await Promise.all([
    measureQueueDepths(db),
    measureConnections(db),
    readHolds(),
    readLastBackup(db),
  ])
  forget({ meters })
  for (const { queue } of waiting) queues.add(queue)
  // An empty queue is a figure, too: a line that ends could as well be a measurement that failed.
  for (const queue of queues) {
    meters.queue_depth.set({ queue }, 0)
    meters.queue_age.set({ queue }, 0)
  }
  for (const { queue, depth, oldest_s } of waiting) {
    meters.queue_depth.set({ queue }, depth)
    meters.queue_age.set({ queue }, oldest_s)
  }
  for (const { count, since, ...hold } of holds) {
    const labels = { route: hold.route, carrier: hold.carrier ?? '', reason: hold.reason }
    meters.held.set(labels, count)
    meters.held_since.set(labels, since === undefined ? 0 : Date.parse(since) / 1_000)
  }
  for (const { state, count } of connections) meters.connections.set({ state }, count)
  if (!backup) return
  meters.backup_last.set({}, backup.begun_s)
  meters.backup_bytes.set({}, backup.bytes)
  meters.backup_failures.set({}, backup.failures)
}

/** What was read from the database is told by the process that was asked, and not again by the others. */
function forget({ meters }: Pick<MetricsDeps, 'meters'>): void {
  meters.queue_depth.reset()
  meters.queue_age.reset()
  meters.held.reset()
  meters.held_since.reset()
  meters.connections.reset()
  meters.database_node_up.reset()
  meters.backup_last.remove()
  meters.backup_bytes.remove()
  meters.backup_failures.remove()
}
