import type { Scope } from '../../organisations/schema.ts'
import type { Caller } from '../../organisations/store.ts'
import { type Area, mayDo } from '../../users/roles.ts'
import { Refusal } from '../../values/refusal.ts'
import { asError } from '../../values/thrown.ts'
import { callerOfVisitor, chosenFor, hasSession, refuseOtherSites, requireVisitor, visitorIn } from './visitor.ts'
import type { HttpDeps } from '../deps.ts'
import { missing, type Need } from '../scopes.ts'
import type { Person } from './route.ts'
import type { FastifyRequest, onRequestAsyncHookHandler, onRequestHookHandler } from 'fastify'

/** Admits callers with an API key of this scope, or with a console session and a chosen organisation. */
export function authenticateFor(scope: Need, deps: HttpDeps, area: Area = areaOf(scope)): onRequestHookHandler {
  const { authenticate } = deps
  return (request, _reply, done) => {
    const admitCaller = (caller: Caller): void => {
      request.caller = caller
      done(scopeFault(caller, scope) ?? rightFault(request, area))
    }
    try {
      const { authorization } = request.headers
      const by_session = authorization === undefined && hasSession(request)
      const caller = by_session ? callerOfVisitor(deps, request) : authenticate(authorization)
      if (caller instanceof Promise) caller.then(admitCaller, done)
      else admitCaller(caller)
    } catch (fault) {
      done(asError(fault))
    }
  }
}

export function scopeFault(caller: Caller, need: Need): Refusal | undefined {
  const lacks = caller.scopes === null ? undefined : missing(caller.scopes, need)
  if (lacks === undefined) return undefined
  const sentence = need === 'all' ? 'This needs an API key with all scopes.' : `The API key lacks the scope ${lacks}.`
  return new Refusal('forbidden', sentence)
}

export function callerOf({ caller }: FastifyRequest): Caller {
  if (!caller) throw new Error('a route without a key asks for its caller')
  return caller
}

/** Authorizes callers without a key, by their console session where one is needed. */
export function admit(whom: Person, deps: HttpDeps, area?: Area): onRequestAsyncHookHandler | undefined {
  if (whom === 'public') return undefined
  if (whom === 'guest') return async (request) => refuseOtherSites(request)
  return async (request) => {
    const visitor = await requireVisitor(deps, request)
    if (whom === 'operator') requireOperator(request)
    const fault = area && rightFault(request, area)
    if (fault) throw fault
    if (whom === 'organisation') request.caller = await chosenFor(deps, request, visitor)
  }
}

export function requireOperator(request: FastifyRequest): void {
  if (visitorIn(request).organisation_id !== null) {
    throw new Refusal('forbidden', 'Only an operator of the installation may do this.')
  }
}

/**
 * The area of a route with a scope: the first scope, which is what it changes. A route that needs every scope belongs
 * to the area of API keys.
 */
export function areaOf(need: Need): Area {
  if (need === 'all') return 'keys'
  return typeof need === 'string' ? need : (need[0] ?? 'keys')
}

/** The refusal if the console user's role does not permit this. */
export function rightFault({ visitor, method, routeOptions }: FastifyRequest, area: Area): Refusal | undefined {
  if (!visitor || mayDo(visitor.role, area, !isRead(method, routeOptions.url ?? ''))) return undefined
  return new Refusal('forbidden', `Your role, ${visitor.role}, does not allow this. Ask an owner or admin.`)
}

/** Whether the caller may also read data of another scope, for answers that show some of it. */
export function mayRead(request: FastifyRequest, scope: Scope): boolean {
  const { visitor } = request
  return scopeFault(callerOf(request), scope) === undefined && (!visitor || mayDo(visitor.role, scope, false))
}

const READS = new Set(['GET', 'HEAD'])
/** POST routes that change nothing. Listed one by one: estimating a campaign changes it. */
const ASKED_BY_POST = new Set([
  '/sms/estimate',
  '/lists/contact/rows/query',
  '/lists/contact/rows/export',
  '/people/export',
])

/** Whether a request changes nothing. */
export function isRead(method: string, url: string): boolean {
  return READS.has(method) || ASKED_BY_POST.has(url)
}
