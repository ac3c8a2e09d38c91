import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { buyAirtime } from '../../airtime/buy.ts'
import { findPurchases, readPurchase } from '../../airtime/read.ts'
import { BoughtPurchase, BuyBody, PurchasePage, ReadPurchase } from '../../airtime/schema.ts'
import { checkPlain } from '../../messaging/compose/check.ts'
import { MAX_EXTERNAL_REF } from '../../messaging/schema.ts'
import { PageQuery } from '../../values/page.ts'
import { refuseIfFaulty } from '../../values/refusal.ts'
import type { HttpDeps } from '../deps.ts'
import { callerOf, faultsOf, idempotencyOf, keyRoute, requestMeta, sendText } from '../route.ts'
import { IdempotencyHeader, IdParams } from '../shapes.ts'

const tag = 'Airtime'

const ListQuery = Type.Object({
  ...PageQuery.properties,
  external_ref: Type.Optional(Type.String({ maxLength: MAX_EXTERNAL_REF, description: 'Only purchases with this.' })),
})

export function airtimeRoutes(app: FastifyInstance, deps: HttpDeps): void {
  app.post<{ Body: Partial<BuyBody> }>(
    '/airtime/buy',
    keyRoute(deps, {
      summary: 'Buy airtime',
      description:
        'Charges the amount at once and answers `pending`; what follows comes to your `callback`, or is read with `GET /airtime/{id}`. A purchase that ends `failed`, `duplicate` or `error` is refunded, once. The same network, recipient and amount again within five minutes ends `duplicate`, unless both requests carry different `Idempotency-Key`s or `external_ref`s; a first one that came to nothing does not count. When the vendor does not say clearly what became of a purchase it stays `sent`, and is neither refunded nor bought again, until the vendor or the operator knows.',
      tag,
      body: BuyBody,
      headers: IdempotencyHeader,
      answer: BoughtPurchase,
      errors: [400, 402, 409, 413, 415],
    }),
    async (request, reply) => {
      const receipt = await buyAirtime(deps, callerOf(request), request.body, {
        shape_faults: faultsOf(request),
        idempotency: idempotencyOf(request),
      })
      return sendText(reply, receipt)
    },
  )

  app.get<{ Params: IdParams }>(
    '/airtime/:id',
    keyRoute(deps, {
      summary: 'Read a purchase and what became of it',
      tag,
      params: IdParams,
      answer: ReadPurchase,
      errors: [404],
    }),
    async (request) => {
      const { meta, ...purchase } = await readPurchase(deps, callerOf(request).organisation_id, request.params.id)
      return { ...purchase, meta: { ...requestMeta(request), ...meta } }
    },
  )

  app.get<{ Querystring: PageQuery & { external_ref?: string } }>(
    '/airtime',
    keyRoute(deps, {
      summary: 'List purchases',
      description: 'Newest first, all of them or those with your `external_ref`.',
      tag,
      querystring: ListQuery,
      answer: PurchasePage,
      errors: [400],
      compress: true,
    }),
    async (request) => {
      const faults = faultsOf(request)
      checkPlain('external_ref', request.query.external_ref, faults)
      refuseIfFaulty(faults)
      const { purchases, pagination } = await findPurchases(deps, callerOf(request).organisation_id, request.query)
      return { purchases, meta: { ...requestMeta(request), pagination } }
    },
  )
}
