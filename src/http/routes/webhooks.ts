import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import {
  ReplayBody,
  Replayed,
  RotateBody,
  WebhookBody,
  WebhookChange,
  WebhookPage,
} from '../../callbacks/webhooks/schema.ts'
import { replayFailed, testWebhook } from '../../callbacks/webhooks/send-again.ts'
import {
  changeWebhook,
  createWebhook,
  findWebhooks,
  readWebhook,
  removeWebhook,
  rotateWebhook,
} from '../../callbacks/webhooks/webhooks.ts'
import { PageQuery } from '../../values/page.ts'
import type { HttpDeps } from '../deps.ts'
import { callerOf, faultsOf, keyRoute, refuseMisshapen, requestMeta } from '../route.ts'
import { CallbackAnswer, WebhookAnswer, WebhookWithSecretAnswer } from '../schema.ts'
import { IdParams, RequestMeta } from '../shapes.ts'

const shared = { tag: 'Webhooks' }
const params = IdParams

export function webhookRoutes(app: FastifyInstance, deps: HttpDeps): void {
  app.get<{ Querystring: PageQuery }>(
    '/webhooks',
    keyRoute(deps, {
      ...shared,
      summary: 'List webhooks',
      querystring: PageQuery,
      answer: WebhookPage,
      errors: [400],
    }),
    async (request) => {
      const { organisation_id } = callerOf(request)
      refuseMisshapen(request)
      const { webhooks, pagination } = await findWebhooks(deps, organisation_id, request.query)
      return { webhooks, meta: { ...requestMeta(request), pagination } }
    },
  )

  app.post<{ Body: Partial<WebhookBody> }>(
    '/webhooks',
    keyRoute(deps, {
      ...shared,
      summary: 'Register a webhook',
      description:
        'From now on every event its filter names is posted there, besides the `callback` a request may name. An event that goes to several endpoints has the same `webhook-id` at each of them. Posts are signed with the secret of this answer, which is shown this once. An endpoint that fails for days without one success, or answers 410, is disabled; `disabled_reason` says why.',
      body: WebhookBody,
      answer: WebhookWithSecretAnswer,
      errors: [400, 413, 415],
    }),
    async (request) => ({
      ...(await createWebhook(deps, callerOf(request).organisation_id, request.body, faultsOf(request))),
      meta: requestMeta(request),
    }),
  )

  app.get<{ Params: IdParams }>(
    '/webhooks/:id',
    keyRoute(deps, { ...shared, summary: 'Read a webhook', params, answer: WebhookAnswer, errors: [404] }),
    async (request) => ({
      ...(await readWebhook(deps, callerOf(request).organisation_id, request.params.id)),
      meta: requestMeta(request),
    }),
  )

  app.patch<{ Params: IdParams; Body: WebhookChange }>(
    '/webhooks/:id',
    keyRoute(deps, {
      ...shared,
      summary: 'Change a webhook',
      description:
        'Fields that are not given stay. What still waits to be tried goes to the new `url`. While a webhook is disabled nothing is kept for it, and what waits is stopped when its turn comes; it can be sent again later.',
      params,
      body: WebhookChange,
      answer: WebhookAnswer,
      errors: [400, 404, 413, 415],
    }),
    async (request) => ({
      ...(await changeWebhook(
        deps,
        callerOf(request).organisation_id,
        request.params.id,
        request.body,
        faultsOf(request),
      )),
      meta: requestMeta(request),
    }),
  )

  app.delete<{ Params: IdParams }>(
    '/webhooks/:id',
    keyRoute(deps, {
      ...shared,
      summary: 'Delete a webhook',
      description: 'Callbacks that wait for it are `stopped`. What is on its way at this moment may still arrive.',
      params,
      empty: true,
      errors: [404],
    }),
    async (request, reply) => {
      await removeWebhook(deps, callerOf(request).organisation_id, request.params.id)
      return reply.code(204).send()
    },
  )
  webhookActions(app, deps)
}

function webhookActions(app: FastifyInstance, deps: HttpDeps): void {
  app.post<{ Params: IdParams; Body: RotateBody }>(
    '/webhooks/:id/rotate',
    keyRoute(deps, {
      ...shared,
      summary: 'Rotate the secret of a webhook',
      description:
        'For `overlap_hours` posts carry two signatures, one of the new secret and one of the secret before it, so that your endpoint can change over. 0 ends the old one at once.',
      params,
      body: RotateBody,
      answer: WebhookWithSecretAnswer,
      errors: [400, 404, 413, 415],
    }),
    async (request) => {
      const { organisation_id } = callerOf(request)
      refuseMisshapen(request)
      const rotated = await rotateWebhook(deps, organisation_id, request.params.id, request.body)
      return { ...rotated, meta: requestMeta(request) }
    },
  )

  app.post<{ Params: IdParams }>(
    '/webhooks/:id/test',
    keyRoute(deps, {
      ...shared,
      summary: 'Send a test event',
      description:
        'Posts an event of type `webhook.test`, once, whatever the filter, also while the webhook is disabled. `GET /callbacks/{id}` with the id of the answer tells what came of it.',
      params,
      answer: CallbackAnswer,
      errors: [404],
    }),
    async (request) => ({
      ...(await testWebhook(deps, callerOf(request).organisation_id, request.params.id)),
      meta: requestMeta(request),
    }),
  )

  app.post<{ Params: IdParams; Body: Partial<ReplayBody> }>(
    '/webhooks/:id/replay',
    keyRoute(deps, {
      ...shared,
      summary: 'Send failed events again',
      description:
        'Everything for this webhook that failed or was stopped in a time is put in line again, with the same `webhook-id` and body. Up to 10,000 at once: ask again until `complete` is true.',
      params,
      body: ReplayBody,
      answer: Type.Object({ ...Replayed.properties, meta: RequestMeta }),
      errors: [400, 404, 413, 415],
    }),
    async (request) => ({
      ...(await replayFailed(
        deps,
        callerOf(request).organisation_id,
        request.params.id,
        request.body,
        faultsOf(request),
      )),
      meta: requestMeta(request),
    }),
  )
}
