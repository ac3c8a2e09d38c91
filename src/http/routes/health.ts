import { Type } from 'typebox'
import { measureAll } from '../../messaging/dispatch/waiting.ts'
import { nodesAway } from '../../db/cluster/nodes.ts'
import { readLastBackup } from '../../db/backup/store.ts'
import { measureConnections } from '../../db/connections.ts'
import { Refusal } from '../../values/refusal.ts'
import type { HttpDeps } from '../deps.ts'
import { route, type Route } from '../route/route.ts'

const READY_WITHIN_MS = 3_000
const NODES_TOLD = 100
const tag = 'Operations'
/** A GET may have a body here, and a bad one is refused whoever it is for. */
const BODY_ERRORS = [400, 413, 415] as const
const Ok = Type.Object({ status: Type.String({ examples: ['ok'] }) })
/** Also while a node of a cluster is away: the organisations of the others are served. */
const Ready = Type.Object({
  status: Type.String({ examples: ['ok'] }),
  nodes_away: Type.Optional(
    Type.Array(Type.String(), {
      maxItems: NODES_TOLD,
      description: 'On a database cluster: the nodes that do not answer. Organisations that lie there get 503.',
      examples: [['10.0.0.7:5432']],
    }),
  ),
})
const Metrics = Type.Unsafe<string>({
  description: 'Text in the Prometheus format.',
  content: { 'text/plain': { schema: Type.String() } },
})

/** For load balancers and monitoring; none of these needs a key. */
export function healthRoutes(deps: HttpDeps): Route[] {
  /** Who asks meanwhile gets the same: figures are put together in several steps, and cost some milliseconds. */
  let telling: Promise<string> | undefined

  return [
    route({
      method: 'GET',
      path: '/health',
      operation: 'service.health',
      who: 'anybody',
      summary: 'The process is up',
      description: 'For load balancers: it answers as long as the process does, whatever the database is like.',
      tag,
      answer: Ok,
      errors: BODY_ERRORS,
      quiet: true,
      run: () => ({ status: 'ok' }),
    }),

    route({
      method: 'GET',
      path: '/ready',
      operation: 'service.ready',
      who: 'anybody',
      summary: 'The database is reachable and migrated',
      description: 'For load balancers: 503 while requests could not be carried out.',
      tag,
      answer: Ready,
      errors: [...BODY_ERRORS, 503],
      quiet: true,
      run: async () => {
        if (!(await inTime(deps.isReady()))) {
          throw new Refusal('unavailable', 'The database is not reachable or not migrated.')
        }
        const away = nodesAway(deps.db)
        return away.length > 0 ? { status: 'ok', nodes_away: away.slice(0, NODES_TOLD) } : { status: 'ok' }
      },
    }),

    route({
      method: 'GET',
      path: '/metrics',
      operation: 'service.metrics',
      who: 'anybody',
      summary: 'Prometheus metrics',
      description: 'Counters, queues and what holds messages back, for Prometheus to fetch.',
      tag,
      answer: Metrics,
      errors: BODY_ERRORS,
      quiet: true,
      compress: true,
      run: (_request, reply) => {
        reply.type(deps.meters.registry.contentType)
        telling ??= tellMetrics(deps).finally(() => (telling = undefined))
        return telling
      },
    }),
  ]
}

async function tellMetrics(deps: HttpDeps): Promise<string> {
  await measure(deps).catch(() => {}) // without the database the process's own figures still count
  for (const { name, is_away } of deps.db.nodes.known) deps.meters.database_node_up.set({ node: name }, is_away ? 0 : 1)
  const text = await deps.gatherMetrics()
  forget(deps)
  return text
}

async function measure({ db, meters, readHolds }: HttpDeps): Promise<void> {
  const [queues, connections, holds, backup] = await Promise.all([
    measureAll(db),
    measureConnections(db),
    readHolds(),
    readLastBackup(db),
  ])
  forget({ meters })
  for (const { queue, depth, oldest_s } of queues) {
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

/** A database that says nothing at all is not there, whatever its connections look like. */
async function inTime(answer: Promise<boolean>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), READY_WITHIN_MS)
  })
  return Promise.race([answer.catch(() => false), late]).finally(() => clearTimeout(timer))
}

/** What was read from the database is told by the process that was asked, and not again by the others. */
function forget({ meters }: Pick<HttpDeps, 'meters'>): void {
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
