import type { FastifyInstance, FastifyReply } from 'fastify'
import { Readable } from 'node:stream'
import { Type } from 'typebox'
import { exportRows } from '../../contacts/export.ts'
import { queryRows } from '../../contacts/query/query.ts'
import { QueryBody, RowsAnswer, RowsQuery, SearchBody } from '../../contacts/query/schema.ts'
import { withFile } from './contacts-answers.ts'
import type { HttpDeps } from '../deps.ts'
import { callerOf, faultsOf, keyRoute, requestMeta } from '../route.ts'

export function contactQueryRoutes(app: FastifyInstance, deps: HttpDeps): void {
  const shared = {
    tag: 'Contacts',
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

  app.post<{ Body: Partial<SearchBody> }>(
    '/lists/contact/rows/export',
    withFile(
      keyRoute(deps, {
        ...EXPORT,
        summary: 'Download rows as CSV',
        body: SearchBody,
        errors: [400, 404, 413, 415],
      }),
    ),
    async (request, reply) =>
      sendCsv(reply, await exportRows(deps, callerOf(request), request.body, faultsOf(request))),
  )

  app.get<{ Querystring: ExportQuery }>(
    '/lists/contact/rows/export',
    withFile(
      keyRoute(deps, {
        ...EXPORT,
        summary: 'Download all rows or a smartlist as CSV',
        querystring: ExportQuery,
        errors: [400, 404],
      }),
    ),
    async (request, reply) =>
      sendCsv(reply, await exportRows(deps, callerOf(request), request.query, faultsOf(request))),
  )
}

const EXPORT = {
  tag: 'Contacts',
  description:
    'All rows the query finds, with the columns as headers, in UTF-8 with a byte order mark, streamed. A cell that begins with `=`, `+`, `-` or `@` gets an apostrophe in front, or a spreadsheet would carry it out; an import takes the apostrophe off again.',
}

const { smartlist_id, sort } = SearchBody.properties
const ExportQuery = Type.Object({ smartlist_id, sort })
type ExportQuery = { smartlist_id?: string; sort?: string }

function sendCsv(reply: FastifyReply, lines: AsyncGenerator<string>): FastifyReply {
  return reply
    .type('text/csv; charset=utf-8')
    .header('content-disposition', 'attachment; filename="contacts.csv"')
    .send(Readable.from(lines, { objectMode: false }))
}
