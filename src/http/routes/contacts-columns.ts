import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { changeColumn, createColumn, removeColumn } from '../../contacts/columns.ts'
import { ColumnAnswer, ColumnBody, ColumnChange, ContactTable } from '../../contacts/schema.ts'
import { openTable } from '../../contacts/table.ts'
import type { HttpDeps } from '../deps.ts'
import { callerOf, faultsOf, keyRoute, requestMeta } from '../route.ts'
import { RequestMeta } from '../shapes.ts'

const ColumnParams = Type.Object({ column_id: Type.String({ description: 'The column, by id or name.' }) })
type ColumnParams = { column_id: string }

export function contactColumnRoutes(app: FastifyInstance, deps: HttpDeps): void {
  const shared = { tag: 'Contacts' }

  app.get(
    '/lists/contact/columns',
    keyRoute(deps, {
      ...shared,
      summary: 'List the columns',
      answer: Type.Object({ columns: ContactTable.properties.columns, meta: RequestMeta }),
      errors: [],
    }),
    async (request) => ({
      columns: (await openTable(deps, callerOf(request))).shown.columns,
      meta: requestMeta(request),
    }),
  )

  app.post<{ Body: Partial<ColumnBody> }>(
    '/lists/contact/columns',
    keyRoute(deps, {
      ...shared,
      summary: 'Add a column',
      body: ColumnBody,
      answer: ColumnAnswer,
      errors: [400, 413, 415],
    }),
    async (request) => createColumn(deps, callerOf(request), request.body, faultsOf(request)),
  )

  app.patch<{ Params: ColumnParams; Body: ColumnChange }>(
    '/lists/contact/columns/:column_id',
    keyRoute(deps, {
      ...shared,
      summary: 'Rename a column or change its options',
      description: 'The type of a column stays. Cells keep what they say, also where it is no option any more.',
      params: ColumnParams,
      body: ColumnChange,
      answer: ColumnAnswer,
      errors: [400, 404, 413, 415],
    }),
    async (request) => changeColumn(deps, callerOf(request), request.params.column_id, request.body, faultsOf(request)),
  )

  app.delete<{ Params: ColumnParams }>(
    '/lists/contact/columns/:column_id',
    keyRoute(deps, {
      empty: true,
      ...shared,
      summary: 'Delete a column with its cells',
      description: 'Refused while a smartlist filters by it.',
      params: ColumnParams,
      errors: [400, 404],
    }),
    async (request, reply) => {
      await removeColumn(deps, callerOf(request), request.params.column_id)
      return reply.code(204).send()
    },
  )
}
