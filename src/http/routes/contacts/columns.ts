import { Type } from '../../../values/schema/type.ts'
import { changeColumn, createColumn, removeColumn } from '../../../contacts/columns.ts'
import { ColumnAnswer, ColumnBody, ColumnChange, ContactTable } from '../../../contacts/schema.ts'
import { openTable } from '../../../contacts/table.ts'
import type { HttpDeps } from '../../deps.ts'
import { route, type Route } from '../../route/route.ts'
import { RequestMeta } from '../../shapes.ts'

const ColumnParams = Type.Object({ column_id: Type.String({ description: 'The column, by id or name.' }) })

const tag = 'Contacts'

export function contactColumnRoutes(deps: HttpDeps): Route[] {
  return [
    route({
      method: 'GET',
      path: '/lists/contact/columns',
      operation: 'contacts.columns.list',
      scope: 'lists',
      summary: 'List the columns',
      description: 'In display order.',
      tag,
      answer: Type.Object({ columns: ContactTable.properties.columns, meta: RequestMeta }),
      errors: [],
      run: async ({ caller }) => ({ columns: (await openTable(deps, caller)).shown.columns }),
    }),

    route({
      method: 'POST',
      path: '/lists/contact/columns',
      operation: 'contacts.columns.create',
      scope: 'lists',
      summary: 'Add a column',
      description: 'At the end of the table, with empty cells.',
      tag,
      body: ColumnBody,
      answer: ColumnAnswer,
      errors: [400, 413, 415],
      adds_faults: true,
      run: ({ caller, body, shape_faults }) => createColumn(deps, caller, body, shape_faults),
    }),

    route({
      method: 'PATCH',
      path: '/lists/contact/columns/:column_id',
      operation: 'contacts.columns.update',
      scope: 'lists',
      summary: 'Rename a column, change its options or move it',
      description: 'The type of a column cannot change. Cells keep their values, even if they are no longer an option.',
      tag,
      params: ColumnParams,
      body: ColumnChange,
      answer: ColumnAnswer,
      errors: [400, 404, 413, 415],
      adds_faults: true,
      run: ({ caller, params, body, shape_faults }) => changeColumn(deps, caller, params.column_id, body, shape_faults),
    }),

    route({
      method: 'DELETE',
      path: '/lists/contact/columns/:column_id',
      operation: 'contacts.columns.delete',
      scope: 'lists',
      summary: 'Delete a column with its cells',
      description: 'Refused while a smartlist filters by it.',
      tag,
      params: ColumnParams,
      errors: [400, 404],
      run: ({ caller, params }) => removeColumn(deps, caller, params.column_id),
    }),
  ]
}
