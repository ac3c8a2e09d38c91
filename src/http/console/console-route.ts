import type { FastifyRequest, onRequestAsyncHookHandler } from 'fastify'
import type { TSchema } from 'typebox'
import { Refusal } from '../../values/refusal.ts'
import type { HttpDeps } from '../deps.ts'
import { chosenBy, chosenIn, requireVisitor, visitorIn } from './visitor.ts'

export type ConsoleRouteText = {
  /** Who may call it: an operator, anybody about an organisation they have chosen, or anybody who is logged in. */
  for: 'operator' | 'organisation' | 'visitor'
  body?: TSchema
  querystring?: TSchema
  compress?: boolean
}

/** The options of a route for people with a session. It is no part of the customers' reference. */
export function consoleRoute(deps: HttpDeps, text: ConsoleRouteText) {
  return {
    onRequest: admit(deps, text.for),
    attachValidation: true,
    config: { who: text.for, compress: text.compress ?? false },
    schema: {
      hide: true,
      ...(text.body ? { body: text.body } : {}),
      ...(text.querystring ? { querystring: text.querystring } : {}),
    },
  }
}

function admit(deps: HttpDeps, whom: ConsoleRouteText['for']): onRequestAsyncHookHandler {
  return async (request) => {
    const visitor = await requireVisitor(deps, request)
    if (whom === 'operator') requireOperator(request)
    if (whom === 'organisation') {
      request.caller = await chosenBy(deps, visitor, chosenIn(request))
    }
  }
}

export function requireOperator(request: FastifyRequest): void {
  if (visitorIn(request).organisation_id !== null) {
    throw new Refusal('forbidden', 'Only an operator of the installation may do this.')
  }
}
