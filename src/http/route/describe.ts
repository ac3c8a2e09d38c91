import { errorAnswers } from '../error-schema.ts'
import { scopesOf } from '../scopes.ts'
import { IdempotencyHeader } from '../shapes.ts'
import type { Route } from './route.ts'

/** The schema of a route for Fastify and for openapi.json. */
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

/** Marks a body that the generator leaves out of openapi.json. */
export const UNSAID_BODY = 'x-unsaid-body'

/** `contacts.rows.get` becomes `contactsRowsGet`. */
function operationId(operation: string): string {
  return operation.replaceAll(/\.(\w)/g, (_dot, letter: string) => letter.toUpperCase())
}

function answerOf({ file, download }: Route): object {
  if (download)
    return { 200: { description: 'The file.', content: { 'application/octet-stream': { schema: BINARY } } } }
  if (file === undefined) return { 204: { type: 'null', description: 'Done.' } }
  return {
    200: {
      description: 'The file.',
      content: { 'text/csv': { schema: { type: 'string' } } },
    },
  }
}

const BINARY = { type: 'string', format: 'binary' }

/** Adds the errors of every route with a key. */
function errorsOf({ scope, errors = [] }: Route): NonNullable<Route['errors']> {
  return scope === undefined ? errors : [401, 403, ...errors, 500, 503]
}
