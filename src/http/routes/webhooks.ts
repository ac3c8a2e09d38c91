import type { FastifyRequest } from 'fastify'
import { Type } from '../../values/schema/type.ts'
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
import { CallbackAnswer, WebhookAnswer, WebhookWithSecretAnswer } from '../schema.ts'
import { callerOf, rightFault, scopeFault } from '../route/authorize.ts'
import { route, type Route } from '../route/route.ts'
import { IdParams, RequestMeta } from '../shapes.ts'

const tag = 'Webhooks'

/** Events contain everything, including texts from people: hence a scope of its own. */
export function webhookRoutes(deps: HttpDeps): Route[] {
  return [
    route({
      method: 'GET',
      path: '/webhooks',
      operation: 'webhooks.list',
      scope: 'callbacks',
      summary: 'List webhooks',
      description: 'Newest first. Secrets are not shown.',
      tag,
      query: PageQuery,
      answer: WebhookPage,
      errors: [400],
      run: ({ caller, query }) => findWebhooks(deps, caller.organisation_id, query),
    }),

    route({
      method: 'POST',
      path: '/webhooks',
      operation: 'webhooks.create',
      scope: 'callbacks',
      summary: 'Register a webhook',
      description:
        'From now on every event its filter names is posted there, besides the `callback` a request may name. An event that goes to several endpoints has the same `webhook-id` at each of them. Posts are signed with the secret of this answer, which is shown this once. An endpoint that fails for days without one success, or answers 410, is disabled; `disabled_reason` says why.',
      tag,
      body: WebhookBody,
      answer: WebhookWithSecretAnswer,
      errors: [400, 413, 415],
      adds_faults: true,
      run: (request) => {
        const { caller, body, shape_faults } = request
        if (body.format === 'twilio') requireToSend(request)
        const auth_token = caller.key_id === null ? undefined : deps.authTokenOf(caller.key_id)
        return createWebhook(deps, caller.organisation_id, body, shape_faults, auth_token)
      },
    }),

    route({
      method: 'GET',
      path: '/webhooks/:id',
      operation: 'webhooks.get',
      scope: 'callbacks',
      summary: 'Read a webhook',
      description: 'With why and since when it fails, where it does. Its secret is not shown.',
      tag,
      params: IdParams,
      answer: WebhookAnswer,
      errors: [404],
      run: ({ caller, params }) => readWebhook(deps, caller.organisation_id, params.id),
    }),

    route({
      method: 'PATCH',
      path: '/webhooks/:id',
      operation: 'webhooks.update',
      scope: 'callbacks',
      summary: 'Change a webhook',
      description:
        'Fields that are not given stay. What still waits to be tried goes to the new `url`. While a webhook is disabled nothing is kept for it, and what waits is stopped when its turn comes; it can be sent again later. Another `url` for one in the form of Twilio needs the scope `sms` as well.',
      tag,
      params: IdParams,
      body: WebhookChange,
      answer: WebhookAnswer,
      errors: [400, 404, 413, 415],
      adds_faults: true,
      run: async (request) => {
        const { caller, params, body, shape_faults } = request
        if (body.url !== undefined) {
          const before = await readWebhook(deps, caller.organisation_id, params.id)
          if (before.format === 'twilio' && before.url !== body.url) requireToSend(request)
        }
        return changeWebhook(deps, caller.organisation_id, params.id, body, shape_faults)
      },
    }),

    route({
      method: 'DELETE',
      path: '/webhooks/:id',
      operation: 'webhooks.delete',
      scope: 'callbacks',
      summary: 'Delete a webhook',
      description: 'Callbacks that wait for it are `stopped`. What is on its way at this moment may still arrive.',
      tag,
      params: IdParams,
      errors: [404],
      run: ({ caller, params }) => removeWebhook(deps, caller.organisation_id, params.id),
    }),

    ...webhookActions(deps),
  ]
}

/** Answers of a Twilio-style endpoint are sent and charged, so creating one needs the sms scope. */
function requireToSend(request: FastifyRequest): void {
  const fault = scopeFault(callerOf(request), 'sms') ?? rightFault(request, 'sms')
  if (fault) throw fault
}

function webhookActions(deps: HttpDeps): Route[] {
  return [
    route({
      method: 'POST',
      path: '/webhooks/:id/rotate',
      operation: 'webhooks.rotate',
      scope: 'callbacks',
      summary: 'Rotate the secret of a webhook',
      description:
        'For `overlap_hours` posts carry two signatures, one of the new secret and one of the secret before it, so that your endpoint can change over. 0 ends the old one at once.',
      tag,
      params: IdParams,
      body: RotateBody,
      answer: WebhookWithSecretAnswer,
      errors: [400, 404, 413, 415],
      run: ({ caller, params, body }) => rotateWebhook(deps, caller.organisation_id, params.id, body),
    }),

    route({
      method: 'POST',
      path: '/webhooks/:id/test',
      operation: 'webhooks.test',
      scope: 'callbacks',
      summary: 'Send a test event',
      description:
        'Posts an event of type `webhook.test`, once, whatever the filter, also while the webhook is disabled. `GET /callbacks/{id}` with the id of the answer tells what came of it.',
      tag,
      params: IdParams,
      answer: CallbackAnswer,
      errors: [404],
      run: ({ caller, params }) => testWebhook(deps, caller.organisation_id, params.id),
    }),

    route({
      method: 'POST',
      path: '/webhooks/:id/replay',
      operation: 'webhooks.replay',
      scope: 'callbacks',
      summary: 'Send failed events again',
      description:
        'Everything for this webhook that failed or was stopped in a time is put in line again, with the same `webhook-id` and body. Up to 10,000 at once: ask again until `complete` is true.',
      tag,
      params: IdParams,
      body: ReplayBody,
      answer: Type.Object({ ...Replayed.properties, meta: RequestMeta }),
      errors: [400, 404, 413, 415],
      adds_faults: true,
      run: ({ caller, params, body, shape_faults }) =>
        replayFailed(deps, caller.organisation_id, params.id, body, shape_faults),
    }),
  ]
}
