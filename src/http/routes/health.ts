import { Type } from '../../values/schema/type.ts'
import { unreachableNodes } from '../../db/layout.ts'
import { holdsInTime } from '../../values/concurrency/holds-in-time.ts'
import { Refusal } from '../../values/refusal.ts'
import type { HttpDeps } from '../deps.ts'
import { makeRenderMetrics, mayReadMetrics } from '../metrics.ts'
import { route, type Route } from '../route/route.ts'

const NODES_TOLD = 100
const tag = 'Operations'
/** A GET may have a body, and an invalid one is rejected on any route. */
const BODY_ERRORS = [400, 413, 415] as const
const Ok = Type.Object({ status: Type.String({ examples: ['ok'] }) })
/** True while a cluster node is unreachable: organisations on other nodes are served. */
const Ready = Type.Object({
  status: Type.String({ examples: ['ok'] }),
  nodes_away: Type.Optional(
    Type.Array(Type.String(), {
      maxItems: NODES_TOLD,
      description: 'On a database cluster: unreachable nodes. Organisations on them get 503.',
      examples: [['10.0.0.7:5432']],
    }),
  ),
})
const Metrics = Type.Unsafe<string>({
  description: 'Text in the Prometheus format.',
  content: { 'text/plain': { schema: Type.String() } },
})

/** For load balancers and monitoring, without a key. */
export function healthRoutes(deps: HttpDeps): Route[] {
  const renderMetrics = makeRenderMetrics(deps)

  return [
    route({
      method: 'GET',
      path: '/health',
      operation: 'service.health',
      who: 'public',
      summary: 'The process is up',
      description: 'For load balancers: answers while the process runs, even without a database.',
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
      who: 'public',
      summary: 'The database is reachable and migrated',
      description: 'For load balancers: 503 while requests cannot be processed, and while the process is stopping.',
      tag,
      answer: Ready,
      errors: [...BODY_ERRORS, 503],
      quiet: true,
      run: async () => {
        if (deps.gate.draining) throw new Refusal('unavailable', 'The process is stopping.')
        if (deps.gate.closed) throw deps.gate.closed
        if (!(await holdsInTime(deps.isReady()))) {
          throw new Refusal('unavailable', 'The database is not reachable or not migrated.')
        }
        const away = unreachableNodes(deps.db)
        return away.length > 0 ? { status: 'ok', nodes_away: away.slice(0, NODES_TOLD) } : { status: 'ok' }
      },
    }),

    route({
      method: 'GET',
      path: '/metrics',
      operation: 'service.metrics',
      who: 'public',
      summary: 'Prometheus metrics',
      description:
        'Counters, queues and held messages in the Prometheus format. If the operator has set a token, it is required as ' +
        '`Authorization: Bearer TOKEN` (401 without it); if metrics have a port of their own, this path answers 404.',
      tag,
      answer: Metrics,
      errors: [401, 404, ...BODY_ERRORS],
      quiet: true,
      compress: true,
      run: ({ headers }, reply) => {
        if (deps.metrics.port !== undefined) throw new Refusal('not_found', 'There is no such path.')
        if (!mayReadMetrics(deps.metrics, headers.authorization)) {
          throw new Refusal('unauthenticated', 'The token for metrics is missing or wrong.')
        }
        reply.type(deps.meters.registry.contentType)
        return renderMetrics()
      },
    }),
  ]
}
