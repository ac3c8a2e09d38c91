import { Type } from '../../values/schema/type.ts'
import { findCampaignsOf } from '../../campaigns/messages-store.ts'
import { messagesOf } from '../../campaigns/messages.ts'
import { cancelMessage } from '../../messaging/schedule/cancel.ts'
import { estimatePlan } from '../../messaging/compose/estimate.ts'
import { EstimateBody } from '../../messaging/compose/estimate-schema.ts'
import { planMessage } from '../../messaging/compose/plan.ts'
import { explainMessage } from '../../explain/explain.ts'
import { explainPlan } from '../../explain/explain-estimate.ts'
import { ExplainedMessageEstimate, ExplainQuery, Explanation } from '../../explain/schema.ts'
import { findMessages, readMessage } from '../../messaging/read/read.ts'
import {
  ListedMessage,
  MAX_EXTERNAL_REF,
  MessageWithDeliveries,
  SendBody,
  SentMessage,
} from '../../messaging/schema.ts'
import { sendMessage } from '../../messaging/accept/send.ts'
import { viewerOf } from '../../users/viewer.ts'
import { isId } from '../../values/id.ts'
import { cleanPhone, dialPlan } from '../../values/phone/phone.ts'
import { present } from '../../values/record.ts'
import { refuseIfFaulty } from '../../values/refusal.ts'
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
        'Accepts and validates the body of `POST /sms/send`, but stores, charges and sends nothing. Returns each text, its encoding and pages, the characters that force UCS-2 and their positions, the cost of the text in GSM, and the result of smart encoding. `available_balance` is the balance after the charge; `is_covered` says whether it would be charged. With `explain` the answer says why, as `GET /sms/{id}/explain` does for a message.',
      tag,
      body: EstimateBody,
      body_limit: BODY_LIMIT,
      answer: ExplainedMessageEstimate,
      errors: [400, 404, 413, 415],
      adds_faults: true,
      run: async (request) => {
        const { caller, body, shape_faults } = request
        if (body.smartlist_id !== undefined) {
          const message = 'An estimate is made for recipients, not for a smartlist.'
          shape_faults.push({ field: 'smartlist_id', message, type: 'invalid' })
        }
        const plan = await planMessage(deps, caller, body, shape_faults)
        const { estimate, ...rest } = await estimatePlan(deps, caller, plan)
        const explanations = body.explain === true ? await explainPlan(deps, plan, viewerOf(request)) : undefined
        return { ...rest, ...present('explanations', explanations), meta: { estimate } }
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
      method: 'GET',
      path: '/sms/:id/explain',
      operation: 'sms.explain',
      scope: 'sms',
      summary: 'Explain a message',
      description:
        'For each recipient, in sentences and as data: the encoding and pages of the text and the characters that forced UCS-2, the price rule and why it applied, the route, its carriers and why one was chosen or skipped, every attempt with the answer of the carrier, and what was refunded and why. It is computed from what is stored; what is not stored is said to be unknown. Names of carriers and price lists are for operators of the installation, in the console.',
      tag,
      params: IdParams,
      query: ExplainQuery,
      answer: Explanation,
      errors: [400, 404],
      compress: true,
      run: async (request) => {
        const { caller, params, query } = request
        const { organisation_id, default_country } = caller
        const recipient = query.recipient === undefined ? undefined : readRecipient(query.recipient, default_country)
        const campaigns = isId(params.id) ? await findCampaignsOf(deps.db, organisation_id, [params.id]) : undefined
        const { pageForm } = await deps.tariffOf(caller)
        const found = campaigns?.get(params.id)
        const campaign = found && { id: found.id, name: found.name }
        const { explanation, pagination } = await explainMessage(
          { ...deps, pageForm },
          organisation_id,
          params.id,
          { ...query, ...present('recipient', recipient) },
          { ...viewerOf(request), campaign },
        )
        return { ...explanation, pagination }
      },
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

function readRecipient(given: string, country: string): string | undefined {
  const recipient = cleanPhone(given, dialPlan(country))
  if (recipient === undefined) {
    refuseIfFaulty([{ field: 'recipient', message: 'This is not a phone number.', type: 'phone_invalid' }])
  }
  return recipient
}
