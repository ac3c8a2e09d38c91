import type { FastifyInstance } from 'fastify'
import { queryRows } from '../contacts/query/query.ts'
import { QueryBody, RowsAnswer, RowsQuery } from '../contacts/query/schema.ts'
import type { HttpDeps } from './deps.ts'
import { callerOf, faultsOf, keyRoute, requestMeta } from './route.ts'

export function contactQueryRoutes(app: FastifyInstance, deps: HttpDeps): void {
  const shared = {
    tag: 'Contacts',
    scope: 'lists' as const,
    querystring: RowsQuery,
    answer: RowsAnswer,
    compress: true,
  }

  app.post<{ Querystring: RowsQuery; Body: Partial<QueryBody> }>(
    '/lists/contact/rows/query',
    keyRoute(deps, {
      ...shared,
      summary: 'Query rows',
      description:
        'The rows all filters hold for, newest first or sorted by a column. `page` selects a page near the beginning; `query_id` scrolls: while rows come and go, every row that stays is seen exactly once.',
      body: QueryBody,
      errors: [400, 404, 413, 415],
    }),
    async (request) => {
      const { pagination, ...found } = await queryRows(
        deps,
        callerOf(request),
        request.query,
        request.body,
        faultsOf(request),
      )
      return { ...found, meta: { ...requestMeta(request), pagination } }
    },
  )

  app.get<{ Querystring: RowsQuery }>(
    '/lists/contact/rows',
    keyRoute(deps, { ...shared, summary: 'List all rows', errors: [400] }),
    async (request) => {
      const caller = callerOf(request)
      const { pagination, ...found } = await queryRows(deps, caller, request.query, {}, faultsOf(request))
      return { ...found, meta: { ...requestMeta(request), pagination } }
    },
  )
}
