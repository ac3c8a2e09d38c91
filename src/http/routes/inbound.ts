import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { findInboundMessages, readInbound } from '../../messaging/inbound/read.ts'
import { InboundPage } from '../../messaging/inbound/schema.ts'
import { PageQuery } from '../../values/page.ts'
import type { HttpDeps } from '../deps.ts'
import { callerOf, keyRoute, refuseMisshapen, requestMeta } from '../route.ts'
import { InboundAnswer } from '../schema.ts'
import { IdParams } from '../shapes.ts'

const tag = 'Received texts'

const ListQuery = Type.Object({
  ...PageQuery.properties,
  from: Type.Optional(Type.String({ description: 'Only texts of this number.', examples: ['2348031234567'] })),
})

export function inboundRoutes(app: FastifyInstance, deps: HttpDeps): void {
  app.get<{ Querystring: PageQuery & { from?: string } }>(
    '/inbound',
    keyRoute(deps, {
      summary: 'List what people wrote',
      description: 'Newest first, all of it or what one number wrote.',
      tag,
      querystring: ListQuery,
      answer: InboundPage,
      errors: [400],
      compress: true,
    }),
    async (request) => {
      refuseMisshapen(request)
      const { inbound, pagination } = await findInboundMessages(deps, callerOf(request), request.query)
      return { inbound, meta: { ...requestMeta(request), pagination } }
    },
  )

  app.get<{ Params: IdParams }>(
    '/inbound/:id',
    keyRoute(deps, {
      summary: 'Read a text',
      tag,
      params: IdParams,
      answer: InboundAnswer,
      errors: [404],
    }),
    async (request) => ({
      ...(await readInbound(deps, callerOf(request).organisation_id, request.params.id)),
      meta: requestMeta(request),
    }),
  )
}
