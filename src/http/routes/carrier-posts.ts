import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Type } from '../../values/schema/type.ts'
import { Refusal } from '../../values/refusal.ts'
import type { BodyPolicy } from '../body/policy.ts'
import type { HttpDeps } from '../deps.ts'
import { errorAnswers } from '../error-schema.ts'

/** Vendors send a few hundred reports in one request. */
const BODY: BodyPolicy = { takes: ['bytes'], bytes: 1024 * 1024 }

const params = Type.Object({
  carrier: Type.String({ description: "The carrier's name in the configuration.", examples: ['termii'] }),
})

function schemaOf(what: keyof typeof WORDS, method: 'GET' | 'POST') {
  const { summary, operation } = WORDS[what]
  return {
    operationId: method === 'POST' ? operation : `${operation}ByGet`,
    summary: `${summary} (${method})`,
    description:
      'For the vendor, without a key: requests are verified as the preset of the carrier defines. They are stored, then answered.',
    tags: ['Operations'],
    params,
    response: {
      200: { type: 'string', examples: ['{"status":"ok"}'] },
      ...errorAnswers([401, 404, 413, 415, 500, 503]),
    },
  }
}

const WORDS = {
  reports: { summary: 'Delivery reports of an HTTP carrier', operation: 'carrierReports' },
  texts: { summary: 'Inbound texts of an HTTP carrier', operation: 'carrierTexts' },
}

type Call = FastifyRequest<{ Params: { carrier: string }; Body: unknown }>

/**
 * Webhooks of carriers of the kind `http`. Fastify routes rather than operations: vendors have no API key, use GET or
 * POST with JSON or forms, and may sign the raw body.
 */
export function carrierPostRoutes(app: FastifyInstance, deps: HttpDeps): void {
  for (const what of ['reports', 'texts'] as const) {
    const path = `/carriers/http/:carrier/${what}`
    const take = async (request: Call, reply: FastifyReply) => {
      const { carrier } = request.params
      if (!deps.vendor_posts.has(carrier, what)) throw new Refusal('not_found', 'There is no such carrier.')
      const raw = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
      const post = { url: request.url, headers: request.headers, raw, ip: request.ip }
      const answer = await deps.vendor_posts.receive(carrier, what, post)
      if (!answer) throw new Refusal('unauthenticated', 'This is not known to be from the carrier.')
      return reply
        .header('content-type', answer.type)
        .header('x-content-type-options', 'nosniff')
        .serializer(String)
        .send(answer.text)
    }
    const shared = { exposeHeadRoute: false, config: { who: 'public' as const, body: BODY } }
    app.get<{ Params: { carrier: string } }>(path, { ...shared, schema: schemaOf(what, 'GET') }, take)
    app.post<{ Params: { carrier: string } }>(path, { ...shared, schema: schemaOf(what, 'POST') }, take)
  }
}
