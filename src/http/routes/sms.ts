import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { sendToList } from '../../contacts/send/send-list.ts'
import { cancelMessage } from '../../messaging/schedule/cancel.ts'
import { estimateMessage } from '../../messaging/compose/estimate.ts'
import { MessageEstimate } from '../../messaging/compose/estimate-schema.ts'
import { findMessages, readMessage } from '../../messaging/read/read.ts'
import { ListedMessage, MAX_EXTERNAL_REF, MessageWithDeliveries, SendBody } from '../../messaging/schema.ts'
import { sendMessage } from '../../messaging/accept/send.ts'
import type { HttpDeps } from '../deps.ts'
import { ListMeta, onePage, PageQuery } from '../../values/page.ts'
import {
  callerOf,
  faultsOf,
  idempotencyOf,
  keyRoute,
  refuseMisshapen,
  requestMeta,
  scopeFault,
  sendText,
} from '../route.ts'
import { SendAnswer } from '../schema.ts'
import { IdempotencyHeader, IdParams } from '../shapes.ts'

const BODY_LIMIT = 8 * 1024 * 1024
const tag = 'Messages'

const ListQuery = Type.Object({
  ...PageQuery.properties,
  external_ref: Type.Optional(Type.String({ maxLength: MAX_EXTERNAL_REF, description: 'Only messages with this.' })),
})

export function smsRoutes(app: FastifyInstance, deps: HttpDeps): void {
  app.post<{ Body: Partial<SendBody> }>(
    '/sms/send',
    keyRoute(deps, {
      summary: 'Send a message',
      description:
        'Sends a text to one or several phone numbers. The charge is taken at once and given back for every recipient the message was never carried to. With an `Idempotency-Key` a retry within 24 hours gets the first answer again and is not charged. With `smartlist_id` the key needs the scope `lists` as well.',
      tag,
      body: SendBody,
      headers: IdempotencyHeader,
      answer: SendAnswer,
      errors: [400, 402, 404, 409, 413, 415],
      body_limit: BODY_LIMIT,
    }),
    async (request, reply) => {
      const asked = { shape_faults: faultsOf(request), idempotency: idempotencyOf(request) }
      if (request.body.smartlist_id !== undefined && request.body.recipients === undefined) {
        // Who is in the list can be read from its messages.
        const fault = scopeFault(callerOf(request), 'lists')
        if (fault) throw fault
        const { send, replayed } = await sendToList(deps, callerOf(request), request.body, asked)
        if (replayed) reply.header('idempotent-replayed', 'true')
        return { ...send, meta: requestMeta(request) }
      }
      if (request.body.smartlist_id !== undefined) {
        const message = 'Either recipients or a smartlist_id is given.'
        asked.shape_faults.push({ field: 'smartlist_id', message, type: 'invalid' })
      }
      const receipt = await sendMessage(deps, callerOf(request), request.body, asked)
      return sendText(reply, receipt)
    },
  )

  app.post<{ Body: Partial<SendBody> }>(
    '/sms/estimate',
    keyRoute(deps, {
      summary: 'See what a message would be and cost',
      description:
        'Takes the body of `POST /sms/send` and checks it in the same way, but stores, charges and sends nothing. Tells each text, its encoding and pages, the characters that force UCS-2 and where they are, what the text would cost in GSM, and what smart encoding would make of it. `available_balance` is what would be left, below zero when the balance does not cover the charge.',
      tag,
      body: SendBody,
      answer: MessageEstimate,
      errors: [400, 404, 413, 415],
      body_limit: BODY_LIMIT,
    }),
    async (request) => {
      const faults = faultsOf(request)
      if (request.body.smartlist_id !== undefined) {
        const message = 'An estimate is made for recipients, not for a smartlist.'
        faults.push({ field: 'smartlist_id', message, type: 'invalid' })
      }
      const { estimate, ...rest } = await estimateMessage(deps, callerOf(request), request.body, faults)
      return { ...rest, meta: { ...requestMeta(request), estimate } }
    },
  )

  app.get<{ Params: IdParams }>(
    '/sms/:id',
    keyRoute(deps, {
      summary: 'Read a message and what became of it',
      tag,
      params: IdParams,
      answer: MessageWithDeliveries,
      errors: [404],
      compress: true,
    }),
    async (request) => {
      const message = await readMessage(deps, callerOf(request).organisation_id, request.params.id)
      return { ...message, meta: requestMeta(request) }
    },
  )

  app.delete<{ Params: IdParams }>(
    '/sms/:id',
    keyRoute(deps, {
      summary: 'Take a scheduled message back',
      description:
        'Every delivery that still is `scheduled`, for its `send_at` or for quiet hours, becomes `canceled` and is refunded. What has become due meanwhile goes its way; when nothing is left to take back, the answer is 409.',
      tag,
      params: IdParams,
      empty: true,
      errors: [404, 409],
    }),
    async (request, reply) => {
      await cancelMessage(deps, callerOf(request).organisation_id, request.params.id)
      return reply.code(204).send()
    },
  )

  app.get<{ Querystring: PageQuery & { external_ref?: string } }>(
    '/sms',
    keyRoute(deps, {
      summary: 'List messages',
      description: 'Newest first, all of them or those with your `external_ref`.',
      tag,
      querystring: ListQuery,
      answer: Type.Object({ messages: onePage(ListedMessage), meta: ListMeta }),
      errors: [400],
      compress: true,
    }),
    async (request) => {
      refuseMisshapen(request)
      const { messages, pagination } = await findMessages(deps, callerOf(request).organisation_id, request.query)
      return { messages, meta: { ...requestMeta(request), pagination } }
    },
  )
}
