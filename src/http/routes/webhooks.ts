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
import { replayFailed, testWebhook } from '../../callbacks/read/send-again.ts'
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
      description: 'Newest first. Secrets are not returned.',
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
        'Every later event that matches its filter is posted there, in addition to the `callback` of a request. An event sent to several endpoints has the same `webhook-id` at each of them. Posts are signed with the secret of this answer, which is returned only once. An endpoint that fails for days without one success, or answers 410, is disabled; `disabled_reason` says why.',
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
      description: 'With the reason and start of its failures, if any. Its secret is not returned.',
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
        'Fields that are left out stay. Pending callbacks go to the new `url`. While a webhook is disabled no events are stored for it, and pending callbacks are stopped when they become due; they can be resent later. A new `url` of a Twilio-style webhook also needs the scope `sms`.',
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
      description: 'Its pending callbacks become `stopped`. One in flight may still arrive.',
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
        'For `overlap_hours` posts carry two signatures, of the new secret and of the previous one, so that your endpoint can switch. 0 revokes the old one immediately.',
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
        'Posts one event of type `webhook.test`, regardless of the filter and even while the webhook is disabled. `GET /callbacks/{id}` with the id of the answer returns its outcome.',
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
      summary: 'Resend failed events',
      description:
        'Requeues the callbacks of this webhook that failed or were stopped in a period, with the same `webhook-id` and body. Up to 10,000 per request: repeat it until `complete` is true.',
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
