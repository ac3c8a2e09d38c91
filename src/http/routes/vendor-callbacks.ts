import type { FastifyInstance } from 'fastify'
import { Type } from '../../values/schema/type.ts'
import { receiveVendorCallback } from '../../airtime/vendor-callback.ts'
import type { BodyPolicy } from '../body/policy.ts'
import type { HttpDeps } from '../deps.ts'
import { errorAnswers } from '../error-schema.ts'

const BODY: BodyPolicy = { takes: ['bytes'], bytes: 64 * 1024 }

const schema = {
  operationId: 'airtimeVendorCallback',
  summary: 'Callback of an airtime vendor',
  description:
    'For the vendor, without a key. The posted status is not trusted: the purchase it names is queried immediately.',
  tags: ['Operations'],
  params: Type.Object({
    vendor: Type.String({ description: "The vendor's name in the configuration.", examples: ['vtpass'] }),
  }),
  response: {
    200: Type.Object({ response: Type.String({ examples: ['success'] }) }),
    ...errorAnswers([413, 415, 500, 503]),
  },
}

/**
 * Webhooks of airtime vendors. They have no API key and post JSON or forms, so the body only identifies a purchase to
 * query. The answer does not reveal whether the purchase exists.
 */
export function vendorCallbackRoutes(app: FastifyInstance, deps: HttpDeps): void {
  app.post<{ Params: { vendor: string }; Body: unknown }>(
    '/airtime/callbacks/:vendor',
    { config: { who: 'public', body: BODY }, schema },
    async ({ params, body }) => {
      if (Buffer.isBuffer(body)) await receiveVendorCallback(deps, params.vendor, body.toString('utf8'))
      return { response: 'success' }
    },
  )
}
