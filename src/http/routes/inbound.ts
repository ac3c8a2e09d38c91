import { Type } from '../../values/schema/type.ts'
import { findInboundMessages, readInbound } from '../../messaging/inbound/read.ts'
import { InboundPage } from '../../messaging/inbound/schema.ts'
import { PageQuery } from '../../values/page.ts'
import type { HttpDeps } from '../deps.ts'
import { InboundAnswer } from '../schema.ts'
import { IdParams } from '../shapes.ts'
import { route, type Route } from '../route/route.ts'

const tag = 'Received texts'

const ListQuery = Type.Object({
  ...PageQuery.properties,
  from: Type.Optional(Type.String({ description: 'Only texts from this number.', examples: ['2348031234567'] })),
})

export function inboundRoutes(deps: HttpDeps): Route[] {
  return [
    route({
      method: 'GET',
      path: '/inbound',
      operation: 'inbound.list',
      scope: 'sms',
      summary: 'List inbound texts',
      description: 'Newest first: all of them, or those from one number.',
      tag,
      query: ListQuery,
      answer: InboundPage,
      errors: [400],
      compress: true,
      run: ({ caller, query }) => findInboundMessages(deps, caller, query),
    }),

    route({
      method: 'GET',
      path: '/inbound/:id',
      operation: 'inbound.get',
      scope: 'sms',
      summary: 'Read an inbound text',
      description: 'With the keyword recognised in it.',
      tag,
      params: IdParams,
      answer: InboundAnswer,
      errors: [404],
      run: ({ caller, params }) => readInbound(deps, caller.organisation_id, params.id),
    }),
  ]
}
