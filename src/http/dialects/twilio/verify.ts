import { requestOtp } from '../../../otp/request.ts'
import { STATUS } from '../../../otp/schema.ts'
import {
  closeVerification,
  findOpenVerification,
  findVerification,
  type Verification,
} from '../../../otp/verification/verification.ts'
import { verifyOtp } from '../../../otp/verification/verify.ts'
import { cleanPhone, dialPlan } from '../../../values/phone/phone.ts'
import { isRecord } from '../../../values/record.ts'
import { Refusal } from '../../../values/refusal.ts'
import { twilioSid } from '../../../callbacks/formats/twilio.ts'
import type { HttpDeps } from '../../deps.ts'
import { field } from '../request.ts'
import { required, type TwilioRequest, type TwilioRoute } from './add-routes.ts'
import { TwilioFault } from './errors.ts'
import { idOf, iso } from './resources.ts'

const SERVICE = '/v2/Services/:ServiceSid'
/** Twilio's default code length. */
const CODE_LENGTH = 6
const MINUTES = 10

/** Verify v2. Any service SID is accepted, since the key identifies the organisation. */
export function verifyRoutes(deps: HttpDeps): TwilioRoute[] {
  const otp = { scope: 'otp' as const }
  return [
    {
      ...otp,
      method: 'POST',
      path: `${SERVICE}/Verifications`,
      summary: 'Twilio: start a verification',
      status: 201,
      run: (request) => startVerification(deps, request),
    },
    {
      ...otp,
      method: 'GET',
      path: `${SERVICE}/Verifications/:sid`,
      summary: 'Twilio: fetch a verification',
      run: async (request) => resourceOf(request, await requireVerification(deps, request, request.params.sid ?? '')),
    },
    {
      ...otp,
      method: 'POST',
      path: `${SERVICE}/Verifications/:sid`,
      summary: 'Twilio: approve or cancel a verification',
      run: (request) => changeVerification(deps, request),
    },
    {
      ...otp,
      method: 'POST',
      path: `${SERVICE}/VerificationCheck`,
      summary: 'Twilio: check a verification',
      run: (request) => checkVerification(deps, request),
    },
  ]
}

/**
 * Sends a code. While a verification of the number is pending, another joins it: the SID stays, and earlier codes stay
 * valid. Twilio resends the same code; we store only a hash, so ours is a new one.
 */
async function startVerification(deps: HttpDeps, request: TwilioRequest): Promise<object> {
  const { caller, form, idempotency } = request
  const service_sid = requireService(request)
  const recipient = required(form, 'To', 60200)
  const channel = required(form, 'Channel', 60200).toLowerCase()
  if (channel !== 'sms' && channel !== 'whatsapp') {
    throw new TwilioFault(60200, 'Invalid parameter `Channel`: sms and whatsapp are known.')
  }
  const token = field(form, 'CustomCode')
  const length = Number(field(form, 'CodeLength') ?? CODE_LENGTH)
  if (!Number.isInteger(length) || length < 4 || length > 8) throw new TwilioFault(60200, 'CodeLength is 4 to 8.')
  const quick = { ...deps, db: deps.quick_db }
  const body = { recipient, channel, length, expires_in: MINUTES, ...(token === undefined ? {} : { token }) }
  const asked = { shape_faults: [], idempotency, service_sid }
  const receipt = await requestOtp(quick, caller, body, asked).catch(asVerifyFault)
  if (receipt.replayed) request.onReplay()
  const sent: unknown = JSON.parse(receipt.answer)
  if (!isRecord(sent)) throw new Error('the answer to a request for an OTP is none')
  return resourceOf(request, await startedBy(deps, request, { id: String(sent.id), service_sid, sent }))
}

/** The verification at the time a code was sent, so that a retry of that request gets the same answer. */
async function startedBy(
  deps: HttpDeps,
  { caller }: TwilioRequest,
  { id, service_sid, sent }: { id: string; service_sid: string; sent: Record<string, unknown> },
): Promise<Verification> {
  const found = await findVerification(deps, caller.organisation_id, { otp_id: id, service_sid })
  const created_datetime = String(sent.created_datetime)
  const then = { otp_id: id, status: STATUS.SENT, updated_datetime: created_datetime }
  if (found) return { ...found, ...then, codes: found.codes.filter((code) => code.id <= id) }
  return { id, recipient: String(sent.recipient), created_datetime, codes: [], ...then }
}

async function changeVerification(deps: HttpDeps, request: TwilioRequest): Promise<object> {
  const status = field(request.form, 'Status')?.toLowerCase()
  if (status !== 'canceled' && status !== 'approved') {
    throw new TwilioFault(60200, 'Invalid parameter `Status`: approved and canceled are known.')
  }
  const { id, otp_id } = await requireVerification(deps, request, request.params.sid ?? '')
  const deed = status === 'approved' ? 'approve' : 'cancel'
  if (!(await closeVerification(deps, request.caller.organisation_id, id, deed))) throw notFound(request)
  return resourceOf(request, await requireVerification(deps, request, twilioSid('VE', otp_id)))
}

/** A wrong code is not an error: the verification stays pending. An ended one is not found. */
async function checkVerification(deps: HttpDeps, request: TwilioRequest): Promise<object> {
  const { form, caller } = request
  const token = required(form, 'Code', 60200)
  const sid = field(form, 'VerificationSid') ?? required(form, 'To', 60200)
  const found = await requireVerification(deps, request, sid)
  try {
    const { status, updated_datetime = null } = await verifyOtp(deps, caller, { id: found.otp_id, token }, [])
    return resourceOf(request, { ...found, status, updated_datetime })
  } catch (fault) {
    const type = fault instanceof Refusal ? fault.faults[0]?.type : undefined
    if (type === 'invalid') return resourceOf(request, found)
    if (type === 'max_attempts') throw new TwilioFault(60202, 'Max check attempts reached', 429)
    throw type === undefined ? fault : notFound(request)
  }
}

/** By its SID under its service, or the newest pending one of a number. */
async function requireVerification(deps: HttpDeps, request: TwilioRequest, sid: string): Promise<Verification> {
  const service_sid = requireService(request)
  const { organisation_id, default_country } = request.caller
  const recipient = sid.startsWith('VE') ? undefined : cleanPhone(sid, dialPlan(default_country))
  const found =
    recipient === undefined
      ? await findVerification(deps, organisation_id, { otp_id: idOf('VE', sid), service_sid })
      : await findOpenVerification(deps, organisation_id, { recipient, service_sid })
  if (!found) throw notFound(request)
  return found
}

function notFound({ path }: TwilioRequest): TwilioFault {
  return new TwilioFault(20404, `The requested resource ${path} was not found`, 404)
}

function requireService(request: TwilioRequest): string {
  const [, digits] = /^VA([0-9a-f]{32})$/i.exec(request.params.ServiceSid ?? '') ?? []
  if (digits === undefined) throw notFound(request)
  return `VA${digits.toLowerCase()}`
}

/** Sending limits have their own error code. */
function asVerifyFault(fault: unknown): never {
  if (fault instanceof Refusal && fault.code === 'too_many_requests') {
    throw new TwilioFault(60203, fault.message, 429)
  }
  throw fault
}

const STATUSES = new Map<number, string>([
  [STATUS.SENT, 'pending'],
  [STATUS.EXPIRED, 'expired'],
  [STATUS.FAILED, 'failed'],
  [STATUS.VERIFIED, 'approved'],
  [STATUS.DELETED, 'canceled'],
])

function resourceOf({ params, account_sid }: TwilioRequest, found: Verification): object {
  const sid = twilioSid('VE', found.id)
  const service_sid = params.ServiceSid ?? ''
  const status = STATUSES.get(found.status) ?? 'pending'
  return {
    sid,
    service_sid,
    account_sid,
    to: `+${found.recipient}`,
    channel: found.codes.at(-1)?.channel ?? 'sms',
    status,
    valid: status === 'approved',
    lookup: {},
    amount: null,
    payee: null,
    sna: null,
    send_code_attempts: found.codes.map(({ id, channel, created_datetime }) => ({
      attempt_sid: twilioSid('VL', id),
      channel: channel ?? 'sms',
      time: new Date(created_datetime).toISOString(),
    })),
    date_created: iso(found.created_datetime),
    date_updated: iso(found.updated_datetime ?? found.created_datetime),
    url: `/v2/Services/${service_sid}/Verifications/${sid}`,
  }
}
