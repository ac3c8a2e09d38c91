import type { FastifyInstance } from 'fastify'
import type { Meters } from '../observe/meters.ts'
import type { RequestTrace, Tracer } from '../observe/trace/tracer.ts'
import { newId } from '../values/id.ts'
import type { Log } from '../values/log.ts'

type ObserveDeps = { log: Log; meters: Meters; tracer: Tracer | undefined }

/** Headers of every response. */
export const HEADERS = { 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' }

const REQUEST_ID = /^[\w.:-]{1,128}$/

/** The caller's request id if it is valid, or a new one. */
export function requestId(given: unknown): string {
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : newId()
}

export type Answered = {
  request_id: string
  method: string
  /** The route's pattern: the path may contain a phone number. */
  route: string
  status: number
  elapsed_ms: number
  organisation_id: string | undefined
}

/** Writes one log line, one metric and possibly a span per request; never a header, a body or an answer. */
export function noteAnswer(
  { log, meters, tracer }: ObserveDeps,
  answered: Answered,
  quiet = false,
  trace?: RequestTrace,
): void {
  const { request_id, method, route, status, elapsed_ms, organisation_id } = answered
  meters.requests.observe({ method, route, status }, elapsed_ms / 1_000)
  if (quiet) return
  if (tracer && trace) tracer.endRequest(trace, stepOf(answered))
  const ms = Math.round(elapsed_ms * 10) / 10
  if (!log.written) return log.info({ request_id, method, route, status, ms, organisation_id }, 'request')
  // No value needs escaping: the request id was validated, the others are ours.
  const whose = organisation_id === undefined ? '' : `,"organisation_id":"${organisation_id}"`
  const what = `"method":"${method}","route":"${route}","status":${status},"ms":${ms}`
  log.written(`"request_id":"${request_id}",${what}${whose}`, 'request')
}

function stepOf({ request_id, method, route, status, organisation_id }: Answered) {
  return {
    name: `${method} ${route}`,
    attributes: {
      'http.request.method': method,
      'http.route': route,
      'http.response.status_code': status,
      'gangan.request_id': request_id,
      'gangan.organisation_id': organisation_id,
    },
    fault: status >= 500 ? `HTTP ${status}` : undefined,
  }
}

export function observeRequests(app: FastifyInstance, deps: ObserveDeps): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers({ 'x-request-id': request.id, ...HEADERS })
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    const answered = {
      request_id: request.id,
      method: request.method,
      route: request.routeOptions.url ?? 'unknown',
      status: reply.statusCode,
      elapsed_ms: reply.elapsedTime,
      organisation_id: request.caller?.organisation_id,
    }
    noteAnswer(deps, answered, request.routeOptions.config.quiet, request.trace)
    done()
  })
  if (deps.tracer) traceRequests(app, deps.tracer)
}

function traceRequests(app: FastifyInstance, tracer: Tracer): void {
  app.addHook('onRequest', (request, _reply, done) => {
    request.trace = tracer.beginRequest(request.headers.traceparent)
    done()
  })
  // After the body was read: switching context earlier would lose the request's.
  app.addHook('preHandler', (request, _reply, done) => {
    if (request.trace) tracer.within(request.trace, done)
    else done()
  })
}

declare module 'fastify' {
  interface FastifyRequest {
    trace?: RequestTrace
  }
}
