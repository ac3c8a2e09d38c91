import type { FastifyRequest, onRequestHookHandler } from 'fastify'
import type { Caller } from '../../organisations/store.ts'
import type { Area } from '../../users/roles.ts'
import { Refusal } from '../../values/refusal.ts'
import { callerOfVisitor, hasSession } from '../console/visitor.ts'
import type { HttpDeps } from '../deps.ts'
import { missing, type Need } from '../scopes.ts'
import { asError } from '../../values/thrown.ts'
import { areaOf, rightFault } from './right.ts'

/** Admits callers with an API key of this scope, or with a console session and a chosen organisation. */
export function authenticateFor(scope: Need, deps: HttpDeps, area: Area = areaOf(scope)): onRequestHookHandler {
  const { authenticate } = deps
  return (request, _reply, done) => {
    const admit = (caller: Caller): void => {
      request.caller = caller
      done(scopeFault(caller, scope) ?? rightFault(request, area))
    }
    try {
      const { authorization } = request.headers
      const by_session = authorization === undefined && hasSession(request)
      const caller = by_session ? callerOfVisitor(deps, request) : authenticate(authorization)
      if (caller instanceof Promise) caller.then(admit, done)
      else admit(caller)
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
