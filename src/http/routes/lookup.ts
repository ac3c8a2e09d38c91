import { Type, UNSAID } from '../../values/schema/type.ts'
import { lookUpPhone, lookUpPhones } from '../../lookup/lookup.ts'
import { LookupAnswer, LookupsAnswer, PhoneBody, PhonesBody } from '../../lookup/schema.ts'
import type { HttpDeps } from '../deps.ts'
import { requestMeta } from '../route/answer.ts'
import { route, type Route } from '../route/route.ts'

const tag = 'Lookup'
/** The number belongs in the body of a POST; the query is accepted too. */
const UnsaidPhone = Type.Object({ phone: Type.Optional(Type.String({ [UNSAID]: true })) })
const description =
  'Operator, country, and whether the number was ported or must not be disturbed. `phone` is in the query, or in a JSON body. A slow or unavailable provider does not fail the request: the next source answers, and `meta.source` names it.'

export function lookupRoutes(deps: HttpDeps): Route[] {
  return [
    route({
      method: 'GET',
      path: '/lookup/phone',
      operation: 'lookup.phoneByGet',
      another_way: true,
      scope: 'lookup',
      summary: 'Look up a phone number',
      description,
      tag,
      query: PhoneBody,
      body: PhoneBody,
      unsaid_body: true, // most HTTP clients send no body with a GET
      answer: LookupAnswer,
      errors: [400, 402, 413, 415],
      adds_faults: true,
      receipt: true,
      no_head: true,
      run: (request) => {
        const { caller, body, query, shape_faults } = request
        const asked = { shape_faults, meta: requestMeta(request) }
        return lookUpPhone(deps.lookupOf(caller), caller, body.phone ?? query.phone, asked)
      },
    }),

    route({
      method: 'POST',
      path: '/lookup/phone',
      operation: 'lookup.phone',
      scope: 'lookup',
      summary: 'Look up a phone number by POST',
      description: 'The same, and with an `Idempotency-Key` a retry is charged once.',
      tag,
      query: UnsaidPhone,
      body: PhoneBody,
      answer: LookupAnswer,
      errors: [400, 402, 409, 413, 415],
      idempotent: true,
      adds_faults: true,
      receipt: true,
      run: (request) => {
        const { caller, body, query, shape_faults, idempotency } = request
        const asked = { shape_faults, idempotency, meta: requestMeta(request) }
        return lookUpPhone(deps.lookupOf(caller), caller, body.phone ?? query.phone, asked)
      },
    }),

    route({
      method: 'POST',
      path: '/lookup/phones',
      operation: 'lookup.phones',
      scope: 'lookup',
      summary: 'Look up many phone numbers',
      description:
        'One answer per number, in the given order. An invalid number rejects the request, unless `skip_invalid` is set.',
      tag,
      body: PhonesBody,
      answer: LookupsAnswer,
      errors: [400, 402, 409, 413, 415],
      idempotent: true,
      adds_faults: true,
      receipt: true,
      compress: true,
      run: (request) => {
        const { caller, body, shape_faults, idempotency } = request
        const asked = { shape_faults, idempotency, meta: requestMeta(request) }
        return lookUpPhones(deps.lookupOf(caller), caller, body, asked)
      },
    }),
  ]
}
