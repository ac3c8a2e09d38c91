import { AIRTIME_QUEUE } from '../airtime/store.ts'
import { CALLBACK_QUEUE } from '../callbacks/enqueue.ts'
import { CAMPAIGN_QUEUE } from '../campaigns/queues.ts'
import { listBindCertificates } from '../carriers/smpp/carrier/binds-store.ts'
import { readLastBackup } from '../db/backup/store.ts'
import { measureConnections, measureSize, readConnectionsLimit } from '../db/connections.ts'
import { measureQueueDepths } from '../messaging/dispatch/queue-depth.ts'
import { SCHEDULE_QUEUE } from '../messaging/schedule/store.ts'
import { measureMachine } from '../observe/machine.ts'
import { isSameSecret } from '../values/secrets/same-secret.ts'
import type { HttpDeps } from './deps.ts'

export type MetricsDeps = Pick<HttpDeps, 'db' | 'meters' | 'readHolds' | 'gatherMetrics' | 'machine'>

/** Exported from the start; other queues once they held a job. */
const QUEUES = [CALLBACK_QUEUE, SCHEDULE_QUEUE, CAMPAIGN_QUEUE, AIRTIME_QUEUE]

/** Renders the metrics. Concurrent requests share one measurement. */
export function makeRenderMetrics(deps: MetricsDeps): () => Promise<string> {
  let rendering: Promise<string> | undefined
  const queues = new Set(QUEUES)
  return () => (rendering ??= renderMetrics(deps, queues).finally(() => (rendering = undefined)))
}

/** Checks the bearer token, if one is configured. */
export function mayReadMetrics({ token }: { token: string | undefined }, authorization: string | undefined): boolean {
  if (token === undefined) return true
  const given = /^Bearer +(\S{1,1024})$/i.exec(authorization ?? '')?.[1]
  return given !== undefined && isSameSecret(given, token)
}

async function renderMetrics(deps: MetricsDeps, queues: Set<string>): Promise<string> {
  const { meters, machine } = deps
  await measure(deps, queues).catch(() => {}) // without the database, export the process's own metrics
  await measureMachine(meters, machine)
  for (const { name, is_unreachable } of deps.db.nodes.known) {
    deps.meters.database_node_up.set({ node: name }, is_unreachable ? 0 : 1)
  }
  const text = await deps.gatherMetrics()
  resetDatabaseMetrics(deps)
  return text
}

async function measure({ db, meters, readHolds }: MetricsDeps, queues: Set<string>): Promise<void> {
  const [waiting, connections, limit, bytes, holds, backup, certificates] = await Promise.all([
    measureQueueDepths(db),
    measureConnections(db),
    readConnectionsLimit(db),
    measureSize(db),
    readHolds(),
    readLastBackup(db),
    listBindCertificates(db),
  ])
  resetDatabaseMetrics({ meters })
  for (const { queue } of waiting) queues.add(queue)
  // Export zero for empty queues: a series that ends looks like a failed measurement.
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
  meters.connections_limit.set({}, limit)
  meters.database_bytes.set({}, bytes)
  for (const { carrier, expires } of certificates) {
    meters.certificate_expiry.set({ certificate: carrier }, Date.parse(expires) / 1_000)
  }
  if (!backup) return
  meters.backup_last.set({}, backup.begun_s)
  meters.backup_bytes.set({}, backup.bytes)
  meters.backup_failures.set({}, backup.failures)
}

/** Metrics read from the database are exported once, by the process that received the request. */
function resetDatabaseMetrics({ meters }: Pick<MetricsDeps, 'meters'>): void {
  meters.queue_depth.reset()
  meters.queue_age.reset()
  meters.held.reset()
  meters.held_since.reset()
  meters.connections.reset()
  meters.database_node_up.reset()
  meters.disk_free.reset()
  meters.disk_size.reset()
  meters.certificate_expiry.reset()
  meters.connections_limit.remove()
  meters.wal_archived.remove()
  meters.wal_base.remove()
  meters.database_bytes.remove()
  meters.backup_last.remove()
  meters.backup_bytes.remove()
  meters.backup_failures.remove()
}
