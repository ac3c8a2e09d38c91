import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify'
import { isRecord } from '../../values/record.ts'
import { refuseIfFaulty } from '../../values/refusal.ts'
import { cursorFaults } from '../../values/page.ts'
import { JSON_LIMIT, type BodyPolicy } from '../body/policy.ts'
import type { HttpDeps } from '../deps.ts'
import type { Area } from '../../users/roles.ts'
import type { Need } from '../scopes.ts'
import { admit, areaOf, authenticateFor, callerOf } from './authorize.ts'
import { answererOf } from './answer.ts'
import type { Person, Route } from './route.ts'
import { describeRoute } from './describe.ts'
import { faultsOf } from './validation.ts'
import { makeFileReads, type FileReads } from './file-reads.ts'
import { idempotencyOf } from './idempotency.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The scope an API key needs; only on routes called with a key, or with a session in its place. */
    scope?: Need
    /** Callers admitted without a key. */
    who?: Person
    /** The area a console user needs a right to. */
    area?: Area
    // From the route: read by the access log and by compression.
    quiet?: boolean
    compress?: boolean
  }
  interface FastifySchema {
    /** Not part of openapi.json. */
    hide?: boolean
  }
}

/**
 * Adds operations as Fastify routes: authorization, validation before `run`, and the answer made of its result.
 * Decisions that do not depend on the request are made here, once.
 */
export function addRoutes(
  app: FastifyInstance,
  deps: HttpDeps,
  routes: readonly Route[],
  file_reads = makeFileReads(),
): void {
  for (const route of routes) {
    const { method, path, scope, who, quiet = false, compress = false } = route
    const area = route.area ?? (scope && areaOf(scope))
    const onRequest = scope === undefined ? admit(who, deps, area) : authenticateFor(scope, deps, area)
    const options = {
      method,
      ...(onRequest ? { onRequest } : {}),
      attachValidation: true,
      config: {
        ...(scope === undefined ? { who } : { scope }),
        ...(area ? { area } : {}),
        quiet,
        compress,
        body: bodyOf(route),
      },
      ...(route.no_head ? { exposeHeadRoute: false } : {}),
      handler: handlerOf(route, file_reads),
    }
    app.route({ ...options, url: path, schema: describeRoute(route) })
    const hidden = { hide: true, summary: route.summary }
    for (const url of route.also_at ?? []) app.route({ ...options, url, schema: hidden })
  }
}

function bodyOf({ body_limit = JSON_LIMIT, csv_limit, takes_file }: Route): BodyPolicy {
  if (takes_file) return { takes: ['file'], bytes: body_limit }
  if (csv_limit === undefined) return { takes: ['json'], bytes: body_limit }
  return { takes: ['json', 'csv'], bytes: body_limit, csv_bytes: csv_limit }
}

function handlerOf(route: Route, fileReads: FileReads): RouteHandlerMethod {
  const { requires, adds_faults, idempotent } = route
  const scrolls = isRecord(route.query) && isRecord(route.query.properties) && 'query_id' in route.query.properties
  const answer = answererOf(route, fileReads)
  return async (request: FastifyRequest, reply: FastifyReply) => {
    requires?.(callerOf(request))
    const faults = faultsOf(request)
    if (adds_faults) request.shape_faults = faults
    else if (faults.length > 0) refuseIfFaulty([...faults, ...(scrolls ? cursorFaults(request.query) : [])])
    if (idempotent) request.idempotency = idempotencyOf(request, route.query !== undefined)
    return answer(request, reply, await route.run(request, reply))
  }
}
