import type { FastifyInstance, FastifyRequest } from 'fastify'
import { lookUpPhone, lookUpPhones, type LookupRequest } from '../../lookup/lookup.ts'
import { LookupAnswer, LookupsAnswer, PhoneBody, PhonesBody } from '../../lookup/schema.ts'
import type { HttpDeps } from '../deps.ts'
import { callerOf, faultsOf, idempotencyOf, keyRoute, requestMeta, sendText } from '../route.ts'
import { IdempotencyHeader } from '../shapes.ts'

const tag = 'Lookup'
const description =
  'Operator, country, and whether the number was ported or must not be disturbed. `phone` comes in a JSON body or in the query. A provider that is slow or away never makes the answer fail: the next source answers, and `meta.source` says which.'

type Ask = { Body: PhoneBody; Querystring: PhoneBody }

export function lookupRoutes(app: FastifyInstance, deps: HttpDeps): void {
  const ask = { tag, body: PhoneBody, querystring: PhoneBody, answer: LookupAnswer }

  app.get<Ask>(
    '/lookup/phone',
    {
      ...keyRoute(deps, { ...ask, summary: 'Look up a phone number', description, errors: [400, 402, 413, 415] }),
      exposeHeadRoute: false,
    },
    async (request, reply) => {
      const caller = callerOf(request)
      const wish = asked(request) // refuses a body that is no object, before anything is read from it
      const phone = request.body.phone ?? request.query.phone
      return sendText(reply, await lookUpPhone(deps.lookupOf(caller), caller, phone, wish))
    },
  )

  app.post<Ask>(
    '/lookup/phone',
    keyRoute(deps, {
      ...ask,
      summary: 'Look up a phone number by POST',
      description: 'For clients that cannot send a body with GET. With an `Idempotency-Key` a retry is charged once.',
      headers: IdempotencyHeader,
      errors: [400, 402, 409, 413, 415],
    }),
    async (request, reply) => {
      const caller = callerOf(request)
      const wish = { ...asked(request), idempotency: idempotencyOf(request) }
      const phone = request.body.phone ?? request.query.phone
      return sendText(reply, await lookUpPhone(deps.lookupOf(caller), caller, phone, wish))
    },
  )

  app.post<{ Body: PhonesBody }>(
    '/lookup/phones',
    keyRoute(deps, {
      summary: 'Look up many phone numbers',
      description: 'One answer per number, in the order given. One number that is none refuses the request.',
      tag,
      body: PhonesBody,
      headers: IdempotencyHeader,
      answer: LookupsAnswer,
      errors: [400, 402, 409, 413, 415],
      compress: true,
    }),
    async (request, reply) => {
      const caller = callerOf(request)
      const wish = { ...asked(request), idempotency: idempotencyOf(request) }
      return sendText(reply, await lookUpPhones(deps.lookupOf(caller), caller, request.body.phones, wish))
    },
  )
}

function asked(request: FastifyRequest): LookupRequest {
  return { shape_faults: faultsOf(request), meta: requestMeta(request) }
}
