import { Type } from '../../../values/schema/type.ts'
import { exportRows } from '../../../contacts/export.ts'
import { queryRows } from '../../../contacts/query/query.ts'
import { QueryBody, RowsAnswer, RowsQuery, SearchBody } from '../../../contacts/query/schema.ts'
import type { HttpDeps } from '../../deps.ts'
import { route, type Route } from '../../route/route.ts'

const tag = 'Contacts'

const EXPORT =
  'All rows that match, with the columns as headers, in UTF-8 with a byte order mark, streamed. A cell that begins with `=`, `+`, `-` or `@` is prefixed with an apostrophe, so that spreadsheets do not execute it; an import removes the apostrophe.'

const { smartlist_id, search, sort } = SearchBody.properties
const ExportQuery = Type.Object({ smartlist_id, search, sort })

export function contactQueryRoutes(deps: HttpDeps): Route[] {
  return [
    route({
      method: 'POST',
      path: '/lists/contact/rows/query',
      operation: 'contacts.rows.query',
      scope: 'lists',
      summary: 'Query rows',
      description:
        'The rows that match all filters and contain every word of `search`, newest first or sorted by a column. `page` selects a page near the beginning; `query_id` scrolls: while rows are added and deleted, every row that stays is returned exactly once.',
      tag,
      query: RowsQuery,
      body: QueryBody,
      answer: RowsAnswer,
      errors: [400, 404, 413, 415],
      adds_faults: true,
      compress: true,
      run: ({ caller, query, body, shape_faults }) => queryRows(deps, caller, query, body, shape_faults),
    }),

    route({
      method: 'GET',
      path: '/lists/contact/rows',
      operation: 'contacts.rows.list',
      scope: 'lists',
      summary: 'List all rows',
      description: 'Newest first, or sorted by a column. `POST /lists/contact/rows/query` filters.',
      tag,
      query: RowsQuery,
      answer: RowsAnswer,
      errors: [400],
      adds_faults: true,
      compress: true,
      run: ({ caller, query, shape_faults }) => queryRows(deps, caller, query, {}, shape_faults),
    }),

    route({
      method: 'POST',
      path: '/lists/contact/rows/export',
      operation: 'contacts.rows.export',
      scope: 'lists',
      summary: 'Download rows as CSV',
      description: EXPORT,
      tag,
      body: SearchBody,
      file: 'contacts.csv',
      errors: [400, 404, 413, 415],
      adds_faults: true,
      run: ({ caller, body, shape_faults }) => exportRows(deps, caller, body, shape_faults),
    }),

    route({
      method: 'GET',
      path: '/lists/contact/rows/export',
      operation: 'contacts.rows.exportByGet',
      another_way: true,
      scope: 'lists',
      summary: 'Download all rows or a smartlist as CSV',
      description: EXPORT,
      tag,
      query: ExportQuery,
      file: 'contacts.csv',
      errors: [400, 404],
      adds_faults: true,
      run: ({ caller, query, shape_faults }) => exportRows(deps, caller, query, shape_faults),
    }),
  ]
}
