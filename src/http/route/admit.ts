import type { FastifyRequest, onRequestAsyncHookHandler } from 'fastify'
import { Refusal } from '../../values/refusal.ts'
import { chosenBy, chosenIn, refuseOtherSites, requireVisitor, visitorIn } from '../console/visitor.ts'
import type { HttpDeps } from '../deps.ts'
import type { Person } from './asked.ts'

/** Lets people in, by their session where one is needed. */
export function admit(whom: Person, deps: HttpDeps): onRequestAsyncHookHandler | undefined {
  if (whom === 'anybody') return undefined
  if (whom === 'stranger') return async (request) => refuseOtherSites(request)
  return async (request) => {
    const visitor = await requireVisitor(deps, request)
    if (whom === 'operator') requireOperator(request)
    if (whom === 'organisation') request.caller = await chosenBy(deps, visitor, chosenIn(request))
  }
}

export function requireOperator(request: FastifyRequest): void {
  if (visitorIn(request).organisation_id !== null) {
    throw new Refusal('forbidden', 'Only an operator of the installation may do this.')
  }
}
