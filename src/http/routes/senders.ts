import { changeSender, createSender, findSenders, readSender, removeSender } from '../../senders/registry.ts'
import { SenderBody, SenderChange, SenderPage } from '../../senders/schema.ts'
import { PageQuery } from '../../values/page.ts'
import type { HttpDeps } from '../deps.ts'
import { SenderAnswer } from '../schema.ts'
import { IdParams } from '../shapes.ts'
import { route, type Route } from '../route/route.ts'

const tag = 'Senders'

export function senderRoutes(deps: HttpDeps): Route[] {
  return [
    route({
      method: 'GET',
      path: '/senders',
      operation: 'senders.list',
      scope: 'sms',
      summary: 'List your senders',
      description: 'Newest first, with the decision of the operator on each.',
      tag,
      query: PageQuery,
      answer: SenderPage,
      errors: [400],
      run: ({ caller, query }) => findSenders(deps, caller.organisation_id, query),
    }),

    route({
      method: 'POST',
      path: '/senders',
      operation: 'senders.create',
      scope: 'sms',
      summary: 'Register a sender',
      description:
        '`pending` until the operator approves or rejects it. In live mode only approved senders are used; in the sandbox, and with a test key, any.',
      tag,
      body: SenderBody,
      answer: SenderAnswer,
      errors: [400, 413, 415],
      adds_faults: true,
      run: ({ caller, body, shape_faults }) => createSender(deps, caller, body, shape_faults),
    }),

    route({
      method: 'GET',
      path: '/senders/:id',
      operation: 'senders.get',
      scope: 'sms',
      summary: 'Read a sender',
      description: 'With the decision of the operator.',
      tag,
      params: IdParams,
      answer: SenderAnswer,
      errors: [404],
      run: ({ caller, params }) => readSender(deps, caller.organisation_id, params.id),
    }),

    route({
      method: 'PATCH',
      path: '/senders/:id',
      operation: 'senders.update',
      scope: 'sms',
      summary: 'Change a sender',
      description: 'A new `sender_id` or `class` is `pending` again. Fields that are left out stay.',
      tag,
      params: IdParams,
      body: SenderChange,
      answer: SenderAnswer,
      errors: [400, 404, 413, 415],
      adds_faults: true,
      run: async ({ caller, params, body, shape_faults }) => {
        const sender = await changeSender(deps, caller, params.id, body, shape_faults)
        deps.notifyChange(caller.organisation_id)
        return sender
      },
    }),

    route({
      method: 'DELETE',
      path: '/senders/:id',
      operation: 'senders.delete',
      scope: 'sms',
      summary: 'Remove a sender',
      description: 'Rejected while it is your default sender.',
      tag,
      params: IdParams,
      errors: [404, 409],
      run: async ({ caller, params }) => {
        const { organisation_id } = caller
        await removeSender(deps, organisation_id, params.id)
        deps.notifyChange(organisation_id)
      },
    }),
  ]
}
