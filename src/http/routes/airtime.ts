import { Type } from '../../values/schema/type.ts'
import { buyAirtime } from '../../airtime/buy.ts'
import { findPurchases, readPurchase } from '../../airtime/read.ts'
import { BoughtPurchase, BuyBody, PurchasePage, ReadPurchase } from '../../airtime/schema.ts'
import { checkStorable } from '../../values/input/storable.ts'
import { MAX_EXTERNAL_REF } from '../../messaging/schema.ts'
import { PageQuery, cursorFaults } from '../../values/page.ts'
import { refuseIfFaulty } from '../../values/refusal.ts'
import type { HttpDeps } from '../deps.ts'
import { route, type Route } from '../route/route.ts'
import { IdParams } from '../shapes.ts'

const tag = 'Airtime'

const ListQuery = Type.Object({
  ...PageQuery.properties,
  external_ref: Type.Optional(Type.String({ maxLength: MAX_EXTERNAL_REF, description: 'Only purchases with this.' })),
})

export function airtimeRoutes(deps: HttpDeps): Route[] {
  return [
    route({
      method: 'POST',
      path: '/airtime/buy',
      operation: 'airtime.buy',
      scope: 'airtime',
      summary: 'Buy airtime',
      description:
        'Charges the amount immediately and answers `pending`; the outcome is posted to your `callback`, or read with `GET /airtime/{id}`. A purchase that ends `failed`, `duplicate` or `error` is refunded, once. The same network, recipient and amount within five minutes ends `duplicate`, unless the requests carry different `Idempotency-Key`s or `external_ref`s; a first purchase that failed does not count. If the vendor does not report a clear outcome, the purchase stays `sent`, and is neither refunded nor bought again, until the vendor or the operator settles it.',
      tag,
      body: BuyBody,
      answer: BoughtPurchase,
      errors: [400, 402, 409, 413, 415],
      idempotent: true,
      adds_faults: true,
      receipt: true,
      run: ({ caller, body, shape_faults, idempotency }) =>
        buyAirtime(deps, caller, body, { shape_faults, idempotency }),
    }),

    route({
      method: 'GET',
      path: '/airtime/:id',
      operation: 'airtime.get',
      scope: 'airtime',
      summary: 'Read a purchase',
      description: 'Its status and charge, and the reason if it was refunded.',
      tag,
      params: IdParams,
      answer: ReadPurchase,
      errors: [404],
      run: ({ caller, params }) => readPurchase(deps, caller.organisation_id, params.id),
    }),

    route({
      method: 'GET',
      path: '/airtime',
      operation: 'airtime.list',
      scope: 'airtime',
      summary: 'List purchases',
      description: 'Newest first, all of them or those with your `external_ref`.',
      tag,
      query: ListQuery,
      answer: PurchasePage,
      errors: [400],
      adds_faults: true,
      compress: true,
      run: ({ caller, query, shape_faults }) => {
        checkStorable('external_ref', query.external_ref, shape_faults)
        if (shape_faults.length > 0) refuseIfFaulty([...shape_faults, ...cursorFaults(query)])
        return findPurchases(deps, caller.organisation_id, query)
      },
    }),
  ]
}
