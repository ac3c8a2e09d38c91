import { Type } from '../../values/schema/type.ts'
import { messagesOf } from '../../campaigns/messages.ts'
import { cancelMessage } from '../../messaging/schedule/cancel.ts'
import { estimateMessage } from '../../messaging/compose/estimate.ts'
import { MessageEstimate } from '../../messaging/compose/estimate-schema.ts'
import { findMessages, readMessage } from '../../messaging/read/read.ts'
import {
  ListedMessage,
  MAX_EXTERNAL_REF,
  MessageWithDeliveries,
  SendBody,
  SentMessage,
} from '../../messaging/schema.ts'
import { sendMessage } from '../../messaging/accept/send.ts'
import { present } from '../../values/record.ts'
import type { HttpDeps } from '../deps.ts'
import { ListMeta, onePage, PageQuery } from '../../values/page.ts'
import { IdParams } from '../shapes.ts'
import { route, type Route } from '../route/route.ts'
import { sendToSmartlist } from './contacts/sends.ts'

const BODY_LIMIT = 8 * 1024 * 1024
const tag = 'Messages'

const ListQuery = Type.Object({
  ...PageQuery.properties,
  external_ref: Type.Optional(Type.String({ maxLength: MAX_EXTERNAL_REF, description: 'Only messages with this.' })),
  campaign_id: Type.Optional(Type.String({ maxLength: 40, description: 'Only the messages of this campaign.' })),
})

export function smsRoutes(deps: HttpDeps): Route[] {
  return [
    route({
      method: 'POST',
      path: '/sms/send',
      operation: 'sms.send',
      scope: 'sms',
      summary: 'Send a message',
      description:
        'Sends a text to one or several phone numbers. The charge is taken immediately and refunded for every recipient the message was never submitted for. With an `Idempotency-Key` a retry within 24 hours gets the first answer again and is not charged. A `smartlist_id` in place of `recipients` is accepted too, and answered like `POST /lists/contact/sends`.',
      tag,
      body: SendBody,
      body_limit: BODY_LIMIT,
      answer: SentMessage,
      errors: [400, 402, 404, 409, 413, 415, 429],
      idempotent: true,
      adds_faults: true,
      receipt: true,
      run: async (request) => {
        const { caller, body, shape_faults, idempotency } = request
        if (body.smartlist_id !== undefined && body.recipients === undefined) {
          return sendToSmartlist(deps, request)
        }
        if (body.smartlist_id !== undefined) {
          const message = 'Either recipients or a smartlist_id is given.'
          shape_faults.push({ field: 'smartlist_id', message, type: 'invalid' })
        }
        return sendMessage(deps, caller, body, { shape_faults, idempotency })
      },
    }),

    route({
      method: 'POST',
      path: '/sms/estimate',
      operation: 'sms.estimate',
      scope: 'sms',
      summary: 'Estimate a message',
      description:
        'Accepts and validates the body of `POST /sms/send`, but stores, charges and sends nothing. Returns each text, its encoding and pages, the characters that force UCS-2 and their positions, the cost of the text in GSM, and the result of smart encoding. `available_balance` is the balance after the charge; `is_covered` says whether it would be charged.',
      tag,
      body: SendBody,
      body_limit: BODY_LIMIT,
      answer: MessageEstimate,
      errors: [400, 404, 413, 415],
      adds_faults: true,
      run: async ({ caller, body, shape_faults }) => {
        if (body.smartlist_id !== undefined) {
          const message = 'An estimate is made for recipients, not for a smartlist.'
          shape_faults.push({ field: 'smartlist_id', message, type: 'invalid' })
        }
        const { estimate, ...rest } = await estimateMessage(deps, caller, body, shape_faults)
        return { ...rest, meta: { estimate } }
      },
    }),

    route({
      method: 'GET',
      path: '/sms/:id',
      operation: 'sms.get',
      scope: 'sms',
      summary: 'Read a message and its deliveries',
      description:
        'With one delivery per recipient, in their order: its status, its price, and the report of the carrier. The answer to a message with many recipients is streamed, in chunks and without a `content-length`; its fields may be in another order.',
      tag,
      params: IdParams,
      answer: MessageWithDeliveries,
      errors: [404],
      compress: true,
      run: ({ caller, params }) => readMessage(deps, caller.organisation_id, params.id),
    }),

    route({
      method: 'DELETE',
      path: '/sms/:id',
      operation: 'sms.cancel',
      scope: 'sms',
      summary: 'Cancel a scheduled message',
      description:
        'Every delivery still `scheduled`, for its `send_at` or for quiet hours, becomes `canceled` and is refunded. Deliveries that became due meanwhile are sent; if none is left to cancel, the answer is 409.',
      tag,
      params: IdParams,
      errors: [404, 409],
      run: ({ caller, params }) => cancelMessage(deps, caller.organisation_id, params.id),
    }),

    route({
      method: 'GET',
      path: '/sms',
      operation: 'sms.list',
      scope: 'sms',
      summary: 'List messages',
      description: 'Newest first, all of them or those with your `external_ref` or of a campaign.',
      tag,
      query: ListQuery,
      answer: Type.Object({ messages: onePage(ListedMessage), meta: ListMeta }),
      errors: [400, 404],
      compress: true,
      run: async ({ caller, query: { campaign_id, ...query } }) => {
        const { organisation_id } = caller
        const ids = campaign_id ? await messagesOf(deps, organisation_id, campaign_id) : undefined
        return findMessages(deps, organisation_id, { ...query, ...present('ids', ids) })
      },
    }),
  ]
}
