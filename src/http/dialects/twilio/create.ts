import { serviceSidOf, twilioForm } from '../../../callbacks/formats/address.ts'
import { sendMessage } from '../../../messaging/accept/send.ts'
import { notifySteps } from '../../../messaging/dispatch/notify-steps.ts'
import type { SendBody } from '../../../messaging/schema.ts'
import { cleanPhone, dialPlan } from '../../../values/phone/phone.ts'
import { isRecord } from '../../../values/record.ts'
import { readMoment } from '../../../values/time/moment.ts'
import type { HttpDeps } from '../../deps.ts'
import { field, type Form } from '../request.ts'
import { required, type TwilioRequest } from './add-routes.ts'
import { readContent } from './content.ts'
import { TwilioFault } from './errors.ts'
import { messageResource } from './resources.ts'

const WHATSAPP = /^whatsapp:/i
const LONGEST_VALIDITY_S = 36_000

/** Sends a message and answers in Twilio's format. */
export async function createMessage(deps: HttpDeps, request: TwilioRequest): Promise<object> {
  const { caller, account_sid, form, idempotency } = request
  const service_sid = readService(form)
  const body = readBody(form, service_sid)
  await refuseOptedOut(deps, request, body.recipients)
  const address = twilioForm(account_sid, caller.key_id ?? '', service_sid)
  const receipt = await sendMessage(deps, { ...caller, sends_from_numbers: true }, body, {
    shape_faults: [],
    idempotency,
    ...addressOf(address, { has_url: body.callback !== undefined, service_sid, signs: caller.key_id !== null }),
    expires_in_s: readValidity(form),
  })
  const sent = sentMessage(receipt.answer, caller.currency)
  if (receipt.replayed) request.onReplay()
  else if (sent.status === 'queued') {
    const step = { ...sent, message_id: sent.id, sender_id: sent.sender_id ?? null }
    await notifySteps(deps, caller.organisation_id, 'queued', [step])
  }
  const media = body.whatsapp ? 1 : 0
  return messageResource(account_sid, { ...sent, media, service_sid: serviceSidOf(sent.callback) })
}

/** Without a status callback, the address only stores the messaging service. Without a key nothing could be signed. */
function addressOf(
  address: string,
  { has_url, service_sid, signs }: { has_url: boolean; service_sid: string | undefined; signs: boolean },
): { callback_form?: string; callback_address?: string } {
  if (has_url) return signs ? { callback_form: address } : {}
  return service_sid === undefined ? {} : { callback_address: address }
}

const SERVICE = /^MG[0-9a-zA-Z]{1,64}$/

/** Twilio accepts the SID of a messaging service as `From`, too. */
function readService(form: Form): string | undefined {
  const [given, from] = [field(form, 'MessagingServiceSid'), field(form, 'From')]
  if (given === undefined) return from !== undefined && SERVICE.test(from) && from.length > 11 ? from : undefined
  if (!SERVICE.test(given))
    throw new TwilioFault(21701, `The messaging service '${given.slice(0, 100)}' does not exist.`)
  return given
}

function readBody(form: Form, service_sid: string | undefined): Partial<SendBody> & { recipients: string } {
  const to = required(form, 'To', 21604)
  if (to.includes(',')) throw new TwilioFault(21211, "The 'To' parameter is one phone number.")
  const given = field(form, 'From')
  const from = given === service_sid ? undefined : given
  if (from === undefined && service_sid === undefined) {
    throw new TwilioFault(21603, "A 'From' sender or a 'MessagingServiceSid' is required.")
  }
  const content = readContent(form, to)
  const callback = field(form, 'StatusCallback')
  const send_at = readSchedule(form, service_sid)
  return {
    recipients: to.replace(WHATSAPP, ''),
    channel: WHATSAPP.test(to) ? 'whatsapp' : 'sms',
    ...content,
    ...(from === undefined ? {} : { sender_id: from.replace(WHATSAPP, '').replace(/^\+/, '') }),
    ...(callback === undefined ? {} : { callback }),
    ...(send_at === undefined ? {} : { send_at }),
    ...(isTrue(form, 'ShortenUrls') ? { is_trackable: true } : {}),
    ...(isTrue(form, 'SmartEncoded') ? { smart_encoding: true } : {}),
  }
}

/** Twilio's minimum delay of a scheduled message. */
const SOONEST_MS = 300_000

/** Reads `SendAt`, which needs a messaging service; `ScheduleType` may be left out, but is `fixed`. */
function readSchedule(form: Form, service_sid: string | undefined): string | undefined {
  const [type, send_at] = [field(form, 'ScheduleType'), field(form, 'SendAt')]
  if (type === undefined && send_at === undefined) return undefined
  if (type !== undefined && type.toLowerCase() !== 'fixed') {
    throw new TwilioFault(35126, "The ScheduleType is not supported: it is 'fixed'.")
  }
  if (send_at === undefined) throw new TwilioFault(35111, 'SendAt timestamp is missing.')
  if (service_sid === undefined) {
    throw new TwilioFault(35118, 'MessagingServiceSid is required to schedule a message.')
  }
  const at = readMoment(send_at)
  if (at !== undefined && at < Date.now() + SOONEST_MS) {
    throw new TwilioFault(35115, 'SendAt must be at least 300 seconds in the future.')
  }
  return send_at
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

/** Twilio refuses an opted-out recipient on creation; our own API accepts the message and rejects the delivery. */
async function refuseOptedOut(deps: HttpDeps, { caller }: TwilioRequest, to: string): Promise<void> {
  if (!caller.has_optouts) return
  const recipient = cleanPhone(to, dialPlan(caller.default_country))
  if (recipient === undefined) return
  const opted_out = await deps.findOptedOut(caller.organisation_id, [recipient])
  if (opted_out.has(recipient)) throw new TwilioFault(21610, 'Attempt to send to unsubscribed recipient')
}

/** From the stored answer, so that a retry gets the same. */
function sentMessage(answer: string, currency: string) {
  const sent: unknown = JSON.parse(answer)
  if (!isRecord(sent) || !isRecord(sent.meta) || !isRecord(sent.meta.estimate)) {
    throw new Error('the answer to a send is none')
  }
  const { id, recipients, channel, sender_id, content, send_at, created_datetime, callback } = sent
  const { pages, charge } = sent.meta.estimate
  return {
    id: String(id),
    channel: String(channel),
    sender_id: typeof sender_id === 'string' ? sender_id : undefined,
    content: typeof content === 'string' ? content : '',
    callback: typeof callback === 'string' ? callback : undefined,
    recipient: Array.isArray(recipients) ? String(recipients[0]) : '',
    status: send_at === undefined ? 'queued' : 'scheduled',
    pages: Number(pages),
    charge: Number(charge),
    currency,
    direction: 'outbound-api' as const,
    created_datetime: String(created_datetime),
  }
}
