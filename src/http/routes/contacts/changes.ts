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
      description: `Writes one cell of every row, or deletes the rows: up to ${MAX_SELECTED_ROWS.toLocaleString('en')} that are named, or all a query finds. A thousand are done when the answer comes; of more it says how far it is, and reading the change says more. A restart goes on where it left off. For ${UNDO_S} seconds after the last row, or until the next change by the same person, it can be taken back.`,
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
      summary: 'See how far a change of many rows is',
      description: 'Of a person only their own, of a key those made with keys.',
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
      summary: 'Take a change of many rows back',
      description:
        'Deleted rows come back as they were, with their ids; changed cells say again what they said. A cell that somebody has changed since stays, and is counted in `not_restored`. 409 when it is too late.',
      tag,
      params: IdParams,
      answer: Change,
      errors: [404, 409],
      run: ({ caller, visitor, params }) => undoChange(deps, caller, visitor?.user_id, params.id),
    }),
  ]
}
