import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { createRow, createRows, patchRow, readRow, removeRow } from '../../contacts/rows/rows.ts'
import { BulkAnswer, BulkBody, ContactTable, RowAnswer, RowBody } from '../../contacts/schema.ts'
import { openTable } from '../../contacts/table.ts'
import { contactColumnRoutes } from './contacts-columns.ts'
import { contactImportRoutes } from './contacts-imports.ts'
import { contactQueryRoutes } from './contacts-query.ts'
import { contactSendRoutes } from './contacts-sends.ts'
import { contactSmartlistRoutes } from './contacts-smartlists.ts'
import type { HttpDeps } from '../deps.ts'
import { callerOf, faultsOf, keyRoute } from '../route.ts'

const tag = 'Contacts'
const BULK_LIMIT = 8 * 1024 * 1024

const RowParams = Type.Object({ row_id: Type.String({ description: 'The row.' }) })
type RowParams = { row_id: string }

/** The contact list. A row is read under `row` and under `rows`, and so are all its other verbs. */
export function contactRoutes(app: FastifyInstance, deps: HttpDeps): void {
  app.get(
    '/lists/contact',
    keyRoute(deps, {
      summary: 'Read the contact table',
      description: 'Its columns. An organisation that has none yet gets one with the columns Name, Email and Mobile.',
      tag,
      answer: ContactTable,
      errors: [],
    }),
    async (request) => (await openTable(deps, callerOf(request))).shown,
  )

  app.post<{ Body: Partial<RowBody> }>(
    '/lists/contact/rows',
    keyRoute(deps, {
      summary: 'Add a row',
      tag,
      body: RowBody,
      answer: RowAnswer,
      errors: [400, 413, 415],
    }),
    async (request) => createRow(deps, callerOf(request), request.body, faultsOf(request)),
  )

  app.post<{ Body: Partial<BulkBody> }>(
    '/lists/contact/rows/bulk',
    keyRoute(deps, {
      summary: 'Add up to 1,000 rows',
      description: 'All of them, or none when there is any fault; faults name the place of their row.',
      tag,
      body: BulkBody,
      answer: BulkAnswer,
      errors: [400, 413, 415],
      body_limit: BULK_LIMIT,
      compress: true,
    }),
    async (request) => createRows(deps, callerOf(request), request.body, faultsOf(request)),
  )

  for (const segment of ['row', 'rows']) rowRoutes(app, deps, `/lists/contact/${segment}/:row_id`)
  contactColumnRoutes(app, deps)
  contactQueryRoutes(app, deps)
  contactSmartlistRoutes(app, deps)
  contactImportRoutes(app, deps)
  contactSendRoutes(app, deps)
}

function rowRoutes(app: FastifyInstance, deps: HttpDeps, path: string): void {
  const shared = { tag, params: RowParams }
  app.get<{ Params: RowParams }>(
    path,
    keyRoute(deps, { ...shared, summary: 'Read a row', answer: RowAnswer, errors: [404] }),
    async (request) => readRow(deps, callerOf(request), request.params.row_id),
  )

  app.patch<{ Params: RowParams; Body: Partial<RowBody> }>(
    path,
    keyRoute(deps, {
      ...shared,
      summary: 'Change cells of a row',
      description: 'Cells that are not given stay as they are.',
      body: RowBody,
      answer: RowAnswer,
      errors: [400, 404, 413, 415],
    }),
    async (request) => patchRow(deps, callerOf(request), request.params.row_id, request.body, faultsOf(request)),
  )

  app.delete<{ Params: RowParams }>(
    path,
    keyRoute(deps, { empty: true, ...shared, summary: 'Delete a row', errors: [404] }),
    async (request, reply) => {
      await removeRow(deps, callerOf(request), request.params.row_id)
      return reply.code(204).send()
    },
  )
}
