import { errorAnswers } from '../error-schema.ts'
import { scopesOf } from '../scopes.ts'
import { IdempotencyHeader } from '../shapes.ts'
import type { Route } from './route.ts'

/** The shapes of a route for Fastify, with what the reference says about it. */
export function describeRoute(route: Route) {
  const { summary, description, tag, operation, body, query, params, answer } = route
  const shapes = {
    ...(body ? { body } : {}),
    ...(query ? { querystring: query } : {}),
    ...(params ? { params } : {}),
    ...(route.idempotent ? { headers: IdempotencyHeader } : {}),
  }
  const success = answer ? { 200: answer } : answerOf(route)
  if (tag === undefined) return { hide: true, summary, ...shapes, response: success }
  return {
    operationId: operationId(operation),
    ...(route.scope === undefined || route.another_way ? {} : { 'x-client-method': operation }),
    ...(route.unsaid_body ? { [UNSAID_BODY]: true } : {}),
    summary,
    description,
    tags: [tag],
    ...shapes,
    response: { ...success, ...errorAnswers(errorsOf(route)) },
    security: route.scope ? [{ key: [] }] : [],
    ...(route.scope ? { 'x-scopes': scopesOf(route.scope) } : {}),
  }
}

/** Not part of the interface description: the generator drops it, with the body. */
export const UNSAID_BODY = 'x-unsaid-body'

/** `contacts.rows.get` becomes `contactsRowsGet`. */
function operationId(operation: string): string {
  return operation.replaceAll(/\.(\w)/g, (_dot, letter: string) => letter.toUpperCase())
}

function answerOf({ file }: Route): object {
  if (file === undefined) return { 204: { type: 'null', description: 'Done.' } }
  return {
    200: {
      description: 'The file.',
      content: { 'text/csv': { schema: { type: 'string' } } },
    },
  }
}

/** Those of every route with a key are said once, here. */
function errorsOf({ scope, errors = [] }: Route): NonNullable<Route['errors']> {
  return scope === undefined ? errors : [401, 403, ...errors, 500, 503]
}
