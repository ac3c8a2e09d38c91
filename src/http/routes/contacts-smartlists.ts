import type { FastifyInstance } from 'fastify'
import { CountedSmartlist, SmartlistPage } from '../../contacts/query/schema.ts'
import {
  changeSmartlist,
  createSmartlist,
  findSmartlists,
  readSmartlist,
  removeSmartlist,
  SmartlistBody,
  SmartlistChange,
} from '../../contacts/smartlists.ts'
import { PageQuery } from '../../values/page.ts'
import type { HttpDeps } from '../deps.ts'
import { callerOf, faultsOf, keyRoute, refuseMisshapen, requestMeta } from '../route.ts'
import { IdParams } from '../shapes.ts'

export function contactSmartlistRoutes(app: FastifyInstance, deps: HttpDeps): void {
  const shared = { tag: 'Contacts' }

  app.get<{ Querystring: PageQuery }>(
    '/lists/contact/smartlists',
    keyRoute(deps, {
      ...shared,
      summary: 'List smartlists',
      querystring: PageQuery,
      answer: SmartlistPage,
      errors: [400],
      compress: true,
    }),
    async (request) => {
      refuseMisshapen(request)
      const { smartlists, pagination } = await findSmartlists(deps, callerOf(request), request.query)
      return { smartlists, meta: { ...requestMeta(request), pagination } }
    },
  )

  app.post<{ Body: Partial<SmartlistBody> }>(
    '/lists/contact/smartlists',
    keyRoute(deps, {
      ...shared,
      summary: 'Save filters as a smartlist',
      description: 'It always holds the rows its filters hold for at the time. Without filters it holds all rows.',
      body: SmartlistBody,
      answer: CountedSmartlist,
      errors: [400, 413, 415],
    }),
    async (request) => createSmartlist(deps, callerOf(request), request.body, faultsOf(request)),
  )

  app.get<{ Params: IdParams }>(
    '/lists/contact/smartlists/:id',
    keyRoute(deps, {
      ...shared,
      summary: 'Read a smartlist',
      params: IdParams,
      answer: CountedSmartlist,
      errors: [404],
    }),
    async (request) => readSmartlist(deps, callerOf(request), request.params.id),
  )

  app.patch<{ Params: IdParams; Body: SmartlistChange }>(
    '/lists/contact/smartlists/:id',
    keyRoute(deps, {
      ...shared,
      summary: 'Change a smartlist',
      params: IdParams,
      body: SmartlistChange,
      answer: CountedSmartlist,
      errors: [400, 404, 413, 415],
    }),
    async (request) => changeSmartlist(deps, callerOf(request), request.params.id, request.body, faultsOf(request)),
  )

  app.delete<{ Params: IdParams }>(
    '/lists/contact/smartlists/:id',
    keyRoute(deps, { empty: true, ...shared, summary: 'Delete a smartlist', params: IdParams, errors: [404] }),
    async (request, reply) => {
      await removeSmartlist(deps, callerOf(request), request.params.id)
      return reply.code(204).send()
    },
  )
}
