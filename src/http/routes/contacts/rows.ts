import { Type } from '../../../values/schema/type.ts'
import { createRow, createRows, patchRow, readRow, removeRow } from '../../../contacts/rows/rows.ts'
import { BulkAnswer, BulkBody, ContactTable, RowAnswer, RowBody } from '../../../contacts/schema.ts'
import { openTable } from '../../../contacts/table.ts'
import type { HttpDeps } from '../../deps.ts'
import { route, type Route } from '../../route/route.ts'

const tag = 'Contacts'
const BULK_LIMIT = 8 * 1024 * 1024

const RowParams = Type.Object({ row_id: Type.String({ description: 'The row.' }) })

/** The contact list and its rows, under `row` and `rows`. */
export function contactRoutes(deps: HttpDeps): Route[] {
  return [
    route({
      method: 'GET',
      path: '/lists/contact',
      operation: 'contacts.get',
      scope: 'lists',
      summary: 'Read the contact table',
      description: 'Its columns. An organisation without a table gets one with the columns Name, Email and Mobile.',
      tag,
      answer: ContactTable,
      errors: [],
      run: async ({ caller }) => (await openTable(deps, caller)).shown,
    }),

    route({
      method: 'POST',
      path: '/lists/contact/rows',
      operation: 'contacts.rows.create',
      scope: 'lists',
      summary: 'Add a row',
      description: 'With cells for any of the columns. All errors are returned together.',
      tag,
      body: RowBody,
      answer: RowAnswer,
      errors: [400, 413, 415],
      adds_faults: true,
      run: ({ caller, body, shape_faults }) => createRow(deps, caller, body, shape_faults),
    }),

    route({
      method: 'POST',
      path: '/lists/contact/rows/bulk',
      operation: 'contacts.rows.bulk',
      scope: 'lists',
      summary: 'Add up to 1,000 rows',
      description: 'All rows, or none if any is invalid; errors name the index of their row.',
      tag,
      body: BulkBody,
      body_limit: BULK_LIMIT,
      answer: BulkAnswer,
      errors: [400, 413, 415],
      adds_faults: true,
      compress: true,
      run: ({ caller, body, shape_faults }) => createRows(deps, caller, body, shape_faults),
    }),

    ...rowRoutes(deps, 'rows'),
    ...rowRoutes(deps, 'row'),
  ]
}

const SPELLINGS = '`row` is an alias of `rows` in the path.'

function rowRoutes(deps: HttpDeps, spelling: 'row' | 'rows'): Route[] {
  const path = `/lists/contact/${spelling}/:row_id`
  const another_way = spelling === 'row'
  return [
    route({
      method: 'GET',
      path,
      operation: `contacts.${spelling}.get`,
      another_way,
      scope: 'lists',
      summary: 'Read a row',
      description: SPELLINGS,
      tag,
      params: RowParams,
      answer: RowAnswer,
      errors: [404],
      run: ({ caller, params }) => readRow(deps, caller, params.row_id),
    }),

    route({
      method: 'PATCH',
      path,
      operation: `contacts.${spelling}.update`,
      another_way,
      scope: 'lists',
      summary: 'Change cells of a row',
      description: `Cells that are left out stay. ${SPELLINGS}`,
      tag,
      params: RowParams,
      body: RowBody,
      answer: RowAnswer,
      errors: [400, 404, 413, 415],
      adds_faults: true,
      run: ({ caller, params, body, shape_faults }) => patchRow(deps, caller, params.row_id, body, shape_faults),
    }),

    route({
      method: 'DELETE',
      path,
      operation: `contacts.${spelling}.delete`,
      another_way,
      scope: 'lists',
      summary: 'Delete a row',
      description: SPELLINGS,
      tag,
      params: RowParams,
      errors: [404],
      run: ({ caller, params }) => removeRow(deps, caller, params.row_id),
    }),
  ]
}
