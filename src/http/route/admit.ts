import type { FastifyRequest, onRequestAsyncHookHandler } from 'fastify'
import type { Area } from '../../users/roles.ts'
import { Refusal } from '../../values/refusal.ts'
import { chosenFor, refuseOtherSites, requireVisitor, visitorIn } from '../console/visitor.ts'
import type { HttpDeps } from '../deps.ts'
import type { Person } from './asked.ts'
import { rightFault } from './right.ts'

/** Authorizes callers without a key, by their console session where one is needed. */
export function admit(whom: Person, deps: HttpDeps, area?: Area): onRequestAsyncHookHandler | undefined {
  if (whom === 'anybody') return undefined
  if (whom === 'stranger') return async (request) => refuseOtherSites(request)
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
