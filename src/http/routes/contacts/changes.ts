import { createChange, readChange, undoChange } from '../../../contacts/changes/changes.ts'
import { Change, ChangeBody, MAX_SELECTED_ROWS, UNDO_S } from '../../../contacts/changes/schema.ts'
import type { HttpDeps } from '../../deps.ts'
import { route, type Route } from '../../route/route.ts'
import { IdParams } from '../../shapes.ts'

const tag = 'Contacts'

export function contactChangeRoutes(deps: HttpDeps): Route[] {
  return [
    route({
      method: 'POST',
      path: '/lists/contact/changes',
      operation: 'contacts.changes.create',
      scope: 'lists',
      summary: 'Change or delete many rows',
      description: `Writes one cell of every row, or deletes the rows: up to ${MAX_SELECTED_ROWS.toLocaleString('en')} given by id, or all that a query finds. A thousand rows are done before the answer; for more it reports the progress, which reading the change updates. It continues after a restart. It can be undone for ${UNDO_S} seconds after the last row, or until the next change by the same user.`,
      tag,
      body: ChangeBody,
      answer: Change,
      errors: [400, 404, 409, 413, 415],
      adds_faults: true,
      run: ({ caller, visitor, body, shape_faults }) =>
        createChange(deps, caller, visitor?.user_id, body, shape_faults),
    }),

    route({
      method: 'GET',
      path: '/lists/contact/changes/:id',
      operation: 'contacts.changes.get',
      scope: 'lists',
      summary: 'Read the progress of a bulk change',
      description: 'Users read their own changes, keys those made with keys.',
      tag,
      params: IdParams,
      answer: Change,
      errors: [404],
      run: ({ caller, visitor, params }) => readChange(deps, caller, visitor?.user_id, params.id),
    }),

    route({
      method: 'POST',
      path: '/lists/contact/changes/:id/undo',
      operation: 'contacts.changes.undo',
      scope: 'lists',
      summary: 'Undo a bulk change',
      description:
        'Deleted rows are restored with their ids, and changed cells with their previous values. A cell changed since is kept, and counted in `not_restored`. 409 if the time to undo has passed.',
      tag,
      params: IdParams,
      answer: Change,
      errors: [404, 409],
      run: ({ caller, visitor, params }) => undoChange(deps, caller, visitor?.user_id, params.id),
    }),
  ]
}
