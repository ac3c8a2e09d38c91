import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { addOptouts, findOptouts, removeOptout } from '../../optouts/optouts.ts'
import { OptoutBody, OptoutPage } from '../../optouts/schema.ts'
import { PageQuery } from '../../values/page.ts'
import type { HttpDeps } from '../deps.ts'
import { callerOf, faultsOf, keyRoute, refuseMisshapen, requestMeta } from '../route.ts'
import { OptoutsAnswer } from '../schema.ts'

const tag = 'Opt-outs'

const ListQuery = Type.Object({
  ...PageQuery.properties,
  recipient: Type.Optional(
    Type.String({ description: 'Only this number, or numbers that begin with these digits.', examples: ['234803'] }),
  ),
})

export function optoutRoutes(app: FastifyInstance, deps: HttpDeps): void {
  app.get<{ Querystring: PageQuery & { recipient?: string } }>(
    '/optouts',
    keyRoute(deps, {
      summary: 'List who wants no messages',
      tag,
      querystring: ListQuery,
      answer: OptoutPage,
      errors: [400],
      compress: true,
    }),
    async (request) => {
      refuseMisshapen(request)
      const { optouts, pagination } = await findOptouts(deps, callerOf(request), request.query)
      return { optouts, meta: { ...requestMeta(request), pagination } }
    },
  )

  app.post<{ Body: Partial<OptoutBody> }>(
    '/optouts',
    keyRoute(deps, {
      summary: 'Block numbers',
      description:
        'Messages to them end `rejected` with the code `opted_out` and are not charged, whichever way they were asked for. A one-time password that somebody asks for is still sent.',
      tag,
      body: OptoutBody,
      answer: OptoutsAnswer,
      errors: [400, 413, 415],
    }),
    async (request) => ({
      optouts: await addOptouts(deps, callerOf(request), request.body, faultsOf(request)),
      meta: requestMeta(request),
    }),
  )

  app.delete<{ Params: { id: string } }>(
    '/optouts/:id',
    keyRoute(deps, {
      summary: 'Lift a block',
      description: 'By the id of the entry, or by the phone number.',
      tag,
      params: Type.Object({ id: Type.String({ description: 'The id, or the number.', examples: ['2348031234567'] }) }),
      empty: true,
      errors: [404],
    }),
    async (request, reply) => {
      await removeOptout(deps, callerOf(request), request.params.id)
      return reply.code(204).send()
    },
  )
}
