import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import { createHash } from 'node:crypto'
import type { TSchema } from 'typebox'
import type { Caller } from '../organisations/store.ts'
import { callerOfVisitor, hasSession, type Visitor } from './console/visitor.ts'
import type { HttpDeps } from './deps.ts'
import { MAX_FAULTS, Refusal, refuseIfFaulty, type Fault } from '../values/refusal.ts'
import { errorAnswers, type ErrorStatus } from './error-schema.ts'
import { opens, type Need } from './scopes.ts'
import { shapeFaults } from './shape-faults.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Who calls; set on every route that needs a key. */
    caller: Caller | null
    /** Who is behind the session; only where a person calls with the console's cookie in place of a key. */
    visitor?: Visitor
  }
  interface FastifyContextConfig {
    /** Called with a key, or a session in its place. */
    for_keys?: boolean
    /** What the key needs, by the table in `scopes.ts`. */
    scope?: Need
    /** No line in the log: health checks and the like. */
    quiet?: boolean
    compress?: boolean
    /** The body may be CSV, and is handed over as a stream. */
    takes_csv?: boolean
  }
  interface FastifySchema {
    /** Not part of the interface description. */
    hide?: boolean
  }
}

export type RouteText = {
  /** One line for the reference, and a paragraph where one is needed. */
  summary: string
  description?: string
  tag: string
  errors: readonly ErrorStatus[]
  body?: TSchema
  querystring?: TSchema
  params?: TSchema
  headers?: TSchema
  answer?: TSchema
  /** Success is a 204 without a body. */
  empty?: boolean
  compress?: boolean
  body_limit?: number
}

/** The options of a route that needs a key: who may call it, its shapes, and what the reference says about it. */
export function keyRoute(deps: HttpDeps, text: RouteText) {
  const { summary, description, tag, errors, body, querystring, params, headers, answer } = text
  return {
    onRequest: authenticateWith(deps),
    attachValidation: true,
    config: { for_keys: true, compress: text.compress ?? false },
    ...(text.body_limit === undefined ? {} : { bodyLimit: text.body_limit }),
    schema: {
      summary,
      ...(description === undefined ? {} : { description }),
      tags: [tag],
      ...(body ? { body } : {}),
      ...(querystring ? { querystring } : {}),
      ...(params ? { params } : {}),
      ...(headers ? { headers } : {}),
      response: {
        ...(answer ? { 200: answer } : {}),
        ...(text.empty ? { 204: { type: 'null', description: 'Done.' } } : {}),
        ...errorAnswers([401, 403, ...errors, 500, 503]),
      },
    },
  }
}

/** A key, or the console's session with the organisation the person has chosen. */
function authenticateWith(deps: HttpDeps): onRequestHookHandler {
  const { authenticate } = deps
  return (request, _reply, done) => {
    const admit = (caller: Caller): void => {
      request.caller = caller
      const { scope } = request.routeOptions.config
      done(scope === undefined ? new Error('a route for keys without a scope') : scopeFault(caller, scope))
    }
    try {
      const { authorization } = request.headers
      const by_session = authorization === undefined && hasSession(request)
      const caller = by_session ? callerOfVisitor(deps, request) : authenticate(authorization)
      if (caller instanceof Promise) caller.then(admit, done)
      else admit(caller)
    } catch (fault) {
      done(fault as Error)
    }
  }
}

export function scopeFault(caller: Caller, need: Need): Refusal | undefined {
  if (opens(caller.scopes, need)) return undefined
  const sentence = need === 'all' ? 'This needs an API key with all scopes.' : `The API key lacks the scope ${need}.`
  return new Refusal('forbidden', sentence)
}

export function callerOf(request: FastifyRequest): Caller {
  if (!request.caller) throw new Error('a route without a key asks for its caller')
  return request.caller
}

/**
 * What the schema found wrong; the room adds its own faults and refuses with all of them. A body that is no object at
 * all has no fields to find more faults in, and one with more faults than are told needs no more of them.
 */
export function faultsOf(request: FastifyRequest): Fault[] {
  const found = request.validationError?.validation
  if (!found) return []
  const faults = shapeFaults(found as Parameters<typeof shapeFaults>[0])
  refuseIfFaulty(faults.length > MAX_FAULTS ? faults : faults.filter(({ field }) => field === 'body'))
  return faults
}

/** For routes whose schema says all there is to check. */
export function refuseMisshapen(request: FastifyRequest): void {
  refuseIfFaulty(faultsOf(request))
}

export const LONGEST_KEY = 255

/** The request's Idempotency-Key with a hash of what was asked, so that the same key for something else is noticed. */
export function idempotencyOf(request: FastifyRequest): { key: string; request_hash: Buffer } | undefined {
  const key = request.headers['idempotency-key']
  if (key === undefined) return undefined
  if (typeof key !== 'string' || key.length === 0 || key.length > LONGEST_KEY) {
    const message = `An Idempotency-Key has 1 to ${LONGEST_KEY} characters.`
    const type = key === '' ? 'string_too_short' : 'string_too_long'
    throw new Refusal('invalid_request', message, [{ field: 'Idempotency-Key', message, type }])
  }
  return { key, request_hash: hashOf(`${request.method} ${request.routeOptions.url}`, request.body) }
}

export function hashOf(operation: string, body: unknown): Buffer {
  return createHash('sha256')
    .update(`${operation}\n${JSON.stringify(body)}`)
    .digest()
}

/** An answer that is JSON text already. */
export function sendText(reply: FastifyReply, answer: { answer: string; replayed: boolean }): FastifyReply {
  if (answer.replayed) reply.header('idempotent-replayed', 'true')
  return reply.header('content-type', 'application/json; charset=utf-8').send(answer.answer)
}

export function requestMeta(request: FastifyRequest): { method: string; resource: string } {
  return { method: request.method, resource: request.url.replace(/\?.*/s, '').replace(/\/{2,}/g, '/') }
}
