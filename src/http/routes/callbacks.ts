import { Type } from '../../values/schema/type.ts'
import { findCallbacks, readCallback } from '../../callbacks/read/read.ts'
import { replayCallback } from '../../callbacks/read/replay.ts'
import { CallbackPage, CallbackQuery } from '../../callbacks/schema.ts'
import type { HttpDeps } from '../deps.ts'
import { CallbackAnswer, CallbackWithAttemptsAnswer } from '../schema.ts'
import { IdParams } from '../shapes.ts'
import { PageQuery } from '../../values/page.ts'
import { route, type Route } from '../route/route.ts'

const tag = 'Callbacks'

const ListQuery = Type.Object({ ...PageQuery.properties, ...CallbackQuery.properties })

export function callbackRoutes(deps: HttpDeps): Route[] {
  return [
    route({
      method: 'GET',
      path: '/callbacks',
      operation: 'callbacks.list',
      scope: 'callbacks',
      summary: 'List callbacks',
      description:
        'Newest first: all of them, or those about one message, of one webhook, with one `webhook-id`, or in one state.',
      tag,
      query: ListQuery,
      answer: CallbackPage,
      errors: [400],
      compress: true,
      run: ({ caller, query }) => findCallbacks(deps, caller.organisation_id, query),
    }),

    route({
      method: 'GET',
      path: '/callbacks/:id',
      operation: 'callbacks.get',
      scope: 'callbacks',
      summary: 'Read a callback with every try',
      description: 'With the body as it was posted, and every try: when, how long, and what your endpoint answered.',
      tag,
      params: IdParams,
      answer: CallbackWithAttemptsAnswer,
      errors: [404],
      run: ({ caller, params }) => readCallback(deps, caller.organisation_id, params.id),
    }),

    route({
      method: 'POST',
      path: '/callbacks/:id/replay',
      operation: 'callbacks.replay',
      scope: 'callbacks',
      summary: 'Send a callback again',
      description:
        'At once, with the same `webhook-id` and body, whatever became of it before. What was for a registered webhook goes where that webhook points now.',
      tag,
      params: IdParams,
      answer: CallbackAnswer,
      errors: [400, 404],
      run: ({ caller, params }) => replayCallback(deps, caller.organisation_id, params.id),
    }),
  ]
}
