import type { FastifyRequest } from 'fastify'
import { ListSend, ListSendBody } from '../../../campaigns/list-send/schema.ts'
import { cancelListSend, readListSend, sendToList } from '../../../campaigns/list-send/send-list.ts'
import type { Receipt } from '../../../billing/charge.ts'
import type { Caller } from '../../../organisations/store.ts'
import type { Fault } from '../../../values/refusal.ts'
import type { HttpDeps } from '../../deps.ts'
import { scopeFault } from '../../route/authorize.ts'
import { requestMeta } from '../../route/answer.ts'
import { route, type Route } from '../../route/route.ts'
import { IdParams } from '../../shapes.ts'

const tag = 'Contacts'

export function contactSendRoutes(deps: HttpDeps): Route[] {
  return [
    route({
      method: 'POST',
      path: '/lists/contact/sends',
      operation: 'contacts.sends.create',
      scope: ['sms', 'lists'],
      summary: 'Send a message to a smartlist',
      description:
        'Answers immediately; a job sends and charges in chunks, to each number once. `{{Name}}` in the content or template is filled from the column of that name. With an `Idempotency-Key` a retry within 24 hours is sent once.',
      tag,
      body: ListSendBody,
      answer: ListSend,
      errors: [400, 404, 409, 413, 415],
      idempotent: true,
      adds_faults: true,
      receipt: true,
      run: (request) => sendToSmartlist(deps, request),
    }),

    route({
      method: 'GET',
      path: '/lists/contact/sends/:id',
      operation: 'contacts.sends.get',
      scope: 'sms',
      summary: 'Read the progress of a message to a smartlist',
      description: 'Rows scanned, recipients accepted, and the charge so far.',
      tag,
      params: IdParams,
      answer: ListSend,
      errors: [404],
      run: ({ caller, params }) => readListSend(deps, caller, params.id),
    }),

    route({
      method: 'DELETE',
      path: '/lists/contact/sends/:id',
      operation: 'contacts.sends.cancel',
      scope: 'sms',
      summary: 'Cancel a message to a smartlist',
      description: 'Messages not yet submitted to a carrier are canceled and refunded; submitted ones are not.',
      tag,
      params: IdParams,
      errors: [404],
      run: ({ caller, params }) => cancelListSend(deps, caller, params.id),
    }),
  ]
}

type SendRequest = FastifyRequest & { caller: Caller; body: Partial<ListSendBody>; shape_faults: Fault[] }

/** Messages reveal the members of a list, so the key needs its scope. */
export async function sendToSmartlist(deps: HttpDeps, request: SendRequest): Promise<Receipt> {
  const { caller, body, shape_faults, idempotency } = request
  const fault = scopeFault(caller, 'lists')
  if (fault) throw fault
  const { send, replayed } = await sendToList(deps, caller, body, { shape_faults, idempotency })
  return { answer: JSON.stringify({ ...send, meta: requestMeta(request) }), replayed }
}
