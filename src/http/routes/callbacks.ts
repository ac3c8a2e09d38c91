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
      description: 'Newest first: all of them, or those of one message, one webhook, one `webhook-id`, or one status.',
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
      summary: 'Read a callback with its attempts',
      description:
        'With the body as it was posted, and every attempt: its time, its duration, and the answer of your endpoint.',
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
      summary: 'Resend a callback',
      description:
        'Immediately, with the same `webhook-id` and body, whatever its status. A callback of a registered webhook goes to the current URL of that webhook.',
      tag,
      params: IdParams,
      answer: CallbackAnswer,
      errors: [400, 404],
      run: ({ caller, params }) => replayCallback(deps, caller.organisation_id, params.id),
    }),
  ]
}
