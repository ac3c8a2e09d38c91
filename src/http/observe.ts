import type { FastifyInstance } from 'fastify'
import type { HttpDeps } from './deps.ts'

/**
 * One line in the log and one count per request. The route's pattern is logged, not the path, which may hold a phone
 * number; never a header, a body or an answer.
 */
export function observeRequests(app: FastifyInstance, { log, meters }: HttpDeps): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(everyAnswer(request.id))
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    const { method, id } = request
    const route = request.routeOptions.url ?? 'unknown'
    const status = reply.statusCode
    meters.requests.observe({ method, route, status }, reply.elapsedTime / 1_000)
    if (!request.routeOptions.config.quiet) {
      const organisation_id = request.caller?.organisation_id
      const ms = Math.round(reply.elapsedTime * 10) / 10
      log.info({ request_id: id, method, route, status, ms, organisation_id }, 'request')
    }
    done()
  })
}

/** Headers that no answer goes without. */
export function everyAnswer(request_id: string): Record<string, string> {
  return { 'x-request-id': request_id, 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' }
}
