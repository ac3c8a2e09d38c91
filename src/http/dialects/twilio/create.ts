import { twilioForm } from '../../../callbacks/formats/address.ts'
import { sendMessage } from '../../../messaging/accept/send.ts'
import type { SendBody } from '../../../messaging/schema.ts'
import { cleanPhone, dialPlan } from '../../../values/phone.ts'
import { isRecord } from '../../../values/record.ts'
import type { HttpDeps } from '../../deps.ts'
import { field, type Form } from '../form.ts'
import { required, type TwilioRequest } from './door.ts'
import { TwilioFault } from './errors.ts'
import { messageResource } from './resources.ts'

const WHATSAPP = /^whatsapp:/i
const LONGEST_VALIDITY_S = 36_000

/** Sends a message, and answers it as Twilio does. */
export async function createMessage(deps: HttpDeps, request: TwilioRequest): Promise<object> {
  const { caller, account_sid, form, idempotency } = request
  const body = readBody(form)
  await refuseOptedOut(deps, request, body.recipients)
  const receipt = await sendMessage(deps, { ...caller, sends_from_numbers: true }, body, {
    shape_faults: [],
    idempotency,
    callback_form: caller.key_id === null ? undefined : twilioForm(account_sid, caller.key_id),
    expires_in_s: readValidity(form),
  })
  if (receipt.replayed) request.onReplay()
  return messageResource(account_sid, sentMessage(receipt.answer, caller.currency))
}

function readBody(form: Form): Partial<SendBody> & { recipients: string } {
  const to = required(form, 'To', 21604)
  if (to.includes(',')) throw new TwilioFault(21211, "The 'To' parameter is one phone number.")
  if (field(form, 'MediaUrl') !== undefined) throw new TwilioFault(21620, 'Media cannot be sent: only texts are.')
  if (field(form, 'ContentSid') !== undefined) {
    throw new TwilioFault(21654, 'ContentSid is not known here: give a Body.')
  }
  const from = field(form, 'From')
  if (from === undefined && field(form, 'MessagingServiceSid') === undefined) {
    throw new TwilioFault(21603, "A 'From' sender or a 'MessagingServiceSid' is required.")
  }
  const text = field(form, 'Body')
  if (text === undefined) throw new TwilioFault(21602, 'Message body is required.')
  const callback = field(form, 'StatusCallback')
  const send_at = field(form, 'SendAt')
  return {
    recipients: to.replace(WHATSAPP, ''),
    channel: WHATSAPP.test(to) ? 'whatsapp' : 'sms',
    content: text,
    ...(from === undefined ? {} : { sender_id: from.replace(WHATSAPP, '').replace(/^\+/, '') }),
    ...(callback === undefined ? {} : { callback }),
    ...(send_at === undefined ? {} : { send_at }),
    ...(isTrue(form, 'ShortenUrls') ? { is_trackable: true } : {}),
    ...(isTrue(form, 'SmartEncoded') ? { smart_encoding: true } : {}),
  }
}

function isTrue(form: Form, name: string): boolean {
  return field(form, name)?.toLowerCase() === 'true'
}

function readValidity(form: Form): number | undefined {
  const given = field(form, 'ValidityPeriod')
  if (given === undefined) return undefined
  const seconds = Number(given)
  if (!Number.isInteger(seconds) || seconds < 1 || seconds > LONGEST_VALIDITY_S) {
    throw new TwilioFault(20001, `ValidityPeriod is 1 to ${LONGEST_VALIDITY_S} seconds.`)
  }
  return seconds
}

/** Twilio says so before it takes the message; through our own door such a recipient is rejected after it. */
async function refuseOptedOut(deps: HttpDeps, { caller }: TwilioRequest, to: string): Promise<void> {
  if (!caller.has_optouts) return
  const recipient = cleanPhone(to, dialPlan(caller.default_country))
  if (recipient === undefined) return
  const opted_out = await deps.findOptedOut(caller.organisation_id, [recipient])
  if (opted_out.has(recipient)) throw new TwilioFault(21610, 'Attempt to send to unsubscribed recipient')
}

/** Of the answer as it was given the first time, so that a retry gets the same. */
function sentMessage(answer: string, currency: string) {
  const sent: unknown = JSON.parse(answer)
  if (!isRecord(sent) || !isRecord(sent.meta) || !isRecord(sent.meta.estimate)) {
    throw new Error('the answer to a send is none')
  }
  const { id, recipients, channel, sender_id, content, send_at, created_datetime } = sent
  const { pages, charge } = sent.meta.estimate
  return {
    id: String(id),
    channel: String(channel),
    sender_id: typeof sender_id === 'string' ? sender_id : undefined,
    content: typeof content === 'string' ? content : '',
    recipient: Array.isArray(recipients) ? String(recipients[0]) : '',
    status: send_at === undefined ? 'queued' : 'scheduled',
    pages: Number(pages),
    charge: Number(charge),
    currency,
    direction: 'outbound-api' as const,
    created_datetime: String(created_datetime),
  }
}
