import type { FastifyInstance } from 'fastify'
import { Type } from '../../values/schema/type.ts'
import { Refusal } from '../../values/refusal.ts'
import { NO_BODY, type BodyPolicy } from '../body/policy.ts'
import type { HttpDeps } from '../deps.ts'
import { errorAnswers } from '../error-schema.ts'

/** Meta sends up to a thousand changes in one request. */
const BODY: BodyPolicy = { takes: ['bytes'], bytes: 4 * 1024 * 1024 }
const path = '/carriers/whatsapp/:carrier'
const params = Type.Object({
  carrier: Type.String({ description: "The carrier's name in the configuration.", examples: ['whatsapp'] }),
})
const shared = { tags: ['Operations'], params }

const challenge_schema = {
  ...shared,
  operationId: 'whatsappWebhookCheck',
  summary: 'Verification of the WhatsApp webhook',
  description: 'Echoes `hub.challenge` if the request has the configured `verify_token`.',
  response: { 200: { type: 'string', examples: ['1158201444'] }, ...errorAnswers([403, 404, 500]) },
}

const post_schema = {
  ...shared,
  operationId: 'whatsappWebhookPost',
  summary: 'WhatsApp webhook',
  description: 'For Meta, without a key: the body is signed (`X-Hub-Signature-256`). It is stored, then answered.',
  response: {
    200: Type.Object({ status: Type.String({ examples: ['ok'] }) }),
    ...errorAnswers([401, 404, 413, 415, 500, 503]),
  },
}

/**
 * Webhook of the WhatsApp Cloud API. Fastify routes rather than operations: Meta has no API key, and signs the raw
 * body.
 */
export function whatsappWebhookRoutes(app: FastifyInstance, deps: HttpDeps): void {
  app.get<{ Params: { carrier: string }; Querystring: Record<string, unknown> }>(
    path,
    {
      exposeHeadRoute: false,
      config: { who: 'public', body: NO_BODY },
      schema: challenge_schema,
    },
    async (request, reply) => {
      if (!deps.whatsapp_webhook.has(request.params.carrier)) throw unknownNumber()
      const challenge = deps.whatsapp_webhook.challenge(request.params.carrier, request.query)
      if (challenge === undefined) throw new Refusal('forbidden', 'This is not the verify token.')
      return reply
        .header('content-type', 'text/plain; charset=utf-8')
        .header('x-content-type-options', 'nosniff')
        .serializer(String)
        .send(challenge)
    },
  )

  app.post<{ Params: { carrier: string }; Body: unknown }>(
    path,
    {
      config: { who: 'public', body: BODY },
      schema: post_schema,
    },
    async (request) => {
      if (!deps.whatsapp_webhook.has(request.params.carrier)) throw unknownNumber()
      const raw = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
      const signed = await deps.whatsapp_webhook.take(
        request.params.carrier,
        raw,
        request.headers['x-hub-signature-256'],
      )
      if (!signed) throw new Refusal('unauthenticated', 'The body is not signed with the app secret.')
      return { status: 'ok' }
    },
  )
}

function unknownNumber(): Refusal {
  return new Refusal('not_found', 'There is no such carrier.')
}
