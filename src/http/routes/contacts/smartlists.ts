import { CountedSmartlist, SmartlistPage } from '../../../contacts/query/schema.ts'
import {
  changeSmartlist,
  createSmartlist,
  findSmartlists,
  readSmartlist,
  removeSmartlist,
  SmartlistBody,
  SmartlistChange,
} from '../../../contacts/smartlists.ts'
import { PageQuery } from '../../../values/page.ts'
import type { HttpDeps } from '../../deps.ts'
import { route, type Route } from '../../route/route.ts'
import { IdParams } from '../../shapes.ts'

const tag = 'Contacts'

export function contactSmartlistRoutes(deps: HttpDeps): Route[] {
  return [
    route({
      method: 'GET',
      path: '/lists/contact/smartlists',
      operation: 'contacts.smartlists.list',
      scope: 'lists',
      summary: 'List smartlists',
      description: 'Newest first, without row counts.',
      tag,
      query: PageQuery,
      answer: SmartlistPage,
      errors: [400],
      compress: true,
      run: ({ caller, query }) => findSmartlists(deps, caller, query),
    }),

    route({
      method: 'POST',
      path: '/lists/contact/smartlists',
      operation: 'contacts.smartlists.create',
      scope: 'lists',
      summary: 'Save filters as a smartlist',
      description:
        'A smartlist contains the rows that match its filters at the time it is used; without filters, all rows.',
      tag,
      body: SmartlistBody,
      answer: CountedSmartlist,
      errors: [400, 413, 415],
      adds_faults: true,
      run: ({ caller, body, shape_faults }) => createSmartlist(deps, caller, body, shape_faults),
    }),

    route({
      method: 'GET',
      path: '/lists/contact/smartlists/:id',
      operation: 'contacts.smartlists.get',
      scope: 'lists',
      summary: 'Read a smartlist',
      description: 'With its filters and its current row count.',
      tag,
      params: IdParams,
      answer: CountedSmartlist,
      errors: [404],
      run: ({ caller, params }) => readSmartlist(deps, caller, params.id),
    }),

    route({
      method: 'PATCH',
      path: '/lists/contact/smartlists/:id',
      operation: 'contacts.smartlists.update',
      scope: 'lists',
      summary: 'Change a smartlist',
      description: 'Fields that are left out stay. New filters replace all saved ones.',
      tag,
      params: IdParams,
      body: SmartlistChange,
      answer: CountedSmartlist,
      errors: [400, 404, 413, 415],
      adds_faults: true,
      run: ({ caller, params, body, shape_faults }) => changeSmartlist(deps, caller, params.id, body, shape_faults),
    }),

    route({
      method: 'DELETE',
      path: '/lists/contact/smartlists/:id',
      operation: 'contacts.smartlists.delete',
      scope: 'lists',
      summary: 'Delete a smartlist',
      description: 'The rows stay. Messages being sent to it are not stopped.',
      tag,
      params: IdParams,
      errors: [404],
      run: ({ caller, params }) => removeSmartlist(deps, caller, params.id),
    }),
  ]
}
