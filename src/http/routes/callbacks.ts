import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { findCallbacks, readCallback } from '../../callbacks/read/read.ts'
import { replayCallback } from '../../callbacks/read/replay.ts'
import { CallbackPage, CallbackQuery } from '../../callbacks/schema.ts'
import type { HttpDeps } from '../deps.ts'
import { PageQuery } from '../../values/page.ts'
import { callerOf, keyRoute, refuseMisshapen, requestMeta } from '../route.ts'
import { CallbackAnswer, CallbackWithAttemptsAnswer } from '../schema.ts'
import { IdParams } from '../shapes.ts'

const tag = 'Callbacks'

const ListQuery = Type.Object({ ...PageQuery.properties, ...CallbackQuery.properties })

export function callbackRoutes(app: FastifyInstance, deps: HttpDeps): void {
  app.get<{ Querystring: PageQuery & CallbackQuery }>(
    '/callbacks',
    keyRoute(deps, {
      summary: 'List callbacks',
      description:
        'Newest first: all of them, or those about one message, of one webhook, with one `webhook-id`, or in one state.',
      tag,
      querystring: ListQuery,
      answer: CallbackPage,
      errors: [400],
      compress: true,
    }),
    async (request) => {
      refuseMisshapen(request)
      const { callbacks, pagination } = await findCallbacks(deps, callerOf(request).organisation_id, request.query)
      return { callbacks, meta: { ...requestMeta(request), pagination } }
    },
  )

  app.get<{ Params: IdParams }>(
    '/callbacks/:id',
    keyRoute(deps, {
      summary: 'Read a callback with every try',
      tag,
      params: IdParams,
      answer: CallbackWithAttemptsAnswer,
      errors: [404],
    }),
    async (request) => ({
      ...(await readCallback(deps, callerOf(request).organisation_id, request.params.id)),
      meta: requestMeta(request),
    }),
  )

  app.post<{ Params: IdParams }>(
    '/callbacks/:id/replay',
    keyRoute(deps, {
      summary: 'Send a callback again',
      description:
        'At once, with the same `webhook-id` and body, whatever became of it before. What was for a registered webhook goes where that webhook points now.',
      tag,
      params: IdParams,
      answer: CallbackAnswer,
      errors: [400, 404],
    }),
    async (request) => ({
      ...(await replayCallback(deps, callerOf(request).organisation_id, request.params.id)),
      meta: requestMeta(request),
    }),
  )
}
