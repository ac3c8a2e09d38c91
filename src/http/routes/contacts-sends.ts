import { ListSend } from '../../campaigns/list-send/schema.ts'
import { cancelListSend, readListSend } from '../../campaigns/list-send/send-list.ts'
import type { HttpDeps } from '../deps.ts'
import { route, type Route } from '../route/route.ts'
import { IdParams } from '../shapes.ts'

const tag = 'Contacts'

export function contactSendRoutes(deps: HttpDeps): Route[] {
  return [
    route({
      method: 'GET',
      path: '/lists/contact/sends/:id',
      scope: 'sms',
      summary: 'See how far a message to a smartlist is',
      tag,
      params: IdParams,
      answer: ListSend,
      errors: [404],
      run: ({ caller, params }) => readListSend(deps, caller, params.id),
    }),

    route({
      method: 'DELETE',
      path: '/lists/contact/sends/:id',
      scope: 'sms',
      summary: 'Cancel a message to a smartlist',
      description: 'What was charged and not handed over is taken back and refunded; what a carrier has stays with it.',
      tag,
      params: IdParams,
      errors: [404],
      run: ({ caller, params }) => cancelListSend(deps, caller, params.id),
    }),
  ]
}
