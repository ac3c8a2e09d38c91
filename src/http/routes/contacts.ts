import { Type } from 'typebox'
import { createRow, createRows, patchRow, readRow, removeRow } from '../../contacts/rows/rows.ts'
import { BulkAnswer, BulkBody, ContactTable, RowAnswer, RowBody } from '../../contacts/schema.ts'
import { openTable } from '../../contacts/table.ts'
import type { HttpDeps } from '../deps.ts'
import { route, type Route } from '../route/route.ts'

const tag = 'Contacts'
const BULK_LIMIT = 8 * 1024 * 1024

const RowParams = Type.Object({ row_id: Type.String({ description: 'The row.' }) })

/** The contact list and its rows. A row is read under `row` and under `rows`, and so are all its other verbs. */
export function contactRoutes(deps: HttpDeps): Route[] {
  return [
    route({
      method: 'GET',
      path: '/lists/contact',
      scope: 'lists',
      summary: 'Read the contact table',
      description: 'Its columns. An organisation that has none yet gets one with the columns Name, Email and Mobile.',
      tag,
      answer: ContactTable,
      errors: [],
      run: async ({ caller }) => (await openTable(deps, caller)).shown,
    }),

    route({
      method: 'POST',
      path: '/lists/contact/rows',
      scope: 'lists',
      summary: 'Add a row',
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
      scope: 'lists',
      summary: 'Add up to 1,000 rows',
      description: 'All of them, or none when there is any fault; faults name the place of their row.',
      tag,
      body: BulkBody,
      body_limit: BULK_LIMIT,
      answer: BulkAnswer,
      errors: [400, 413, 415],
      adds_faults: true,
      compress: true,
      run: ({ caller, body, shape_faults }) => createRows(deps, caller, body, shape_faults),
    }),

    ...rowRoutes(deps, '/lists/contact/row/:row_id'),
    ...rowRoutes(deps, '/lists/contact/rows/:row_id'),
  ]
}

function rowRoutes(deps: HttpDeps, path: string): Route[] {
  return [
    route({
      method: 'GET',
      path,
      scope: 'lists',
      summary: 'Read a row',
      tag,
      params: RowParams,
      answer: RowAnswer,
      errors: [404],
      run: ({ caller, params }) => readRow(deps, caller, params.row_id),
    }),

    route({
      method: 'PATCH',
      path,
      scope: 'lists',
      summary: 'Change cells of a row',
      description: 'Cells that are not given stay as they are.',
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
      scope: 'lists',
      summary: 'Delete a row',
      tag,
      params: RowParams,
      errors: [404],
      run: ({ caller, params }) => removeRow(deps, caller, params.row_id),
    }),
  ]
}
