import { SCOPES } from '../../organisations/schema.ts'
import { errorAnswers } from '../error-schema.ts'
import { IdempotencyHeader } from '../shapes.ts'
import type { Route } from './route.ts'

/** The shapes of a route for Fastify, with what the reference says about it. */
export function describeRoute(route: Route) {
  const { summary, description, tag, body, query, params, answer } = route
  const shapes = {
    ...(body ? { body } : {}),
    ...(query ? { querystring: query } : {}),
    ...(params ? { params } : {}),
    ...(route.idempotent ? { headers: IdempotencyHeader } : {}),
  }
  if (tag === undefined) return { hide: true, summary, ...shapes }
  return {
    summary,
    ...(description === undefined ? {} : { description }),
    tags: [tag],
    ...shapes,
    response: { ...(answer ? { 200: answer } : answerOf(route)), ...errorAnswers(errorsOf(route)) },
    ...(route.scope ? { security: [{ key: route.scope === 'all' ? SCOPES : [route.scope] }] } : {}),
  }
}

function answerOf({ file }: Route): object {
  if (file === undefined) return { 204: { type: 'null', description: 'Done.' } }
  return { 200: { description: 'The file.', content: { 'text/csv': { schema: { type: 'string' } } } } }
}

/** Those of every route with a key are said once, here. */
function errorsOf({ scope, errors = [] }: Route): NonNullable<Route['errors']> {
  return scope === undefined ? errors : [401, 403, ...errors, 500, 503]
}
