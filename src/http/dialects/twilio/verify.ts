import { findOtps, readOtp, revokeOtp } from '../../../otp/read.ts'
import { requestOtp } from '../../../otp/request.ts'
import { STATUS, type OtpRecord } from '../../../otp/schema.ts'
import { verifyOtp } from '../../../otp/verify.ts'
import { isRecord } from '../../../values/record.ts'
import { Refusal } from '../../../values/refusal.ts'
import { twilioSid } from '../../../callbacks/formats/twilio.ts'
import type { HttpDeps } from '../../deps.ts'
import { field } from '../form.ts'
import { required, type TwilioRequest, type TwilioRoute } from './door.ts'
import { TwilioFault } from './errors.ts'
import { idOf, iso } from './resources.ts'

const SERVICE = '/v2/Services/:ServiceSid'
/** What Twilio's tokens are like where nobody says otherwise. */
const CODE_LENGTH = 6
const MINUTES = 10

/** Verify v2: the service named in the path may be any, since the organisation is the key's. */
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
      run: async (request) => verification(request, await requireOtp(deps, request, request.params.sid ?? '')),
    },
    {
      ...otp,
      method: 'POST',
      path: `${SERVICE}/Verifications/:sid`,
      summary: 'Twilio: cancel a verification',
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

async function startVerification(deps: HttpDeps, request: TwilioRequest): Promise<object> {
  const { caller, form, idempotency } = request
  requireService(request)
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
  const receipt = await requestOtp(quick, caller, body, { shape_faults: [], idempotency }).catch(asVerifyFault)
  if (receipt.replayed) request.onReplay()
  const sent: unknown = JSON.parse(receipt.answer)
  if (!isRecord(sent)) throw new Error('the answer to a request for an OTP is none')
  return verification(
    request,
    {
      id: String(sent.id),
      recipient: String(sent.recipient),
      status: STATUS.SENT,
      status_desc: 'SENT',
      created_datetime: String(sent.created_datetime),
    },
    channel,
  )
}

async function changeVerification(deps: HttpDeps, request: TwilioRequest): Promise<object> {
  if (field(request.form, 'Status')?.toLowerCase() !== 'canceled') {
    throw new TwilioFault(60200, 'Invalid parameter `Status`: only canceled is known.')
  }
  const { id } = await requireOtp(deps, request, request.params.sid ?? '')
  await revokeOtp(deps, request.caller.organisation_id, id)
  return verification(request, await requireOtp(deps, request, twilioSid('VE', id)))
}

/** A wrong code is no error: the verification stays pending. One that is over is not found, as if it had never been. */
async function checkVerification(deps: HttpDeps, request: TwilioRequest): Promise<object> {
  const { form, caller } = request
  const token = required(form, 'Code', 60200)
  const sid = field(form, 'VerificationSid') ?? required(form, 'To', 60200)
  const otp = await requireOtp(deps, request, sid)
  try {
    return verification(request, await verifyOtp(deps, caller, { id: otp.id, token }, []))
  } catch (fault) {
    const type = fault instanceof Refusal ? fault.faults[0]?.type : undefined
    if (type === 'invalid') return verification(request, otp)
    if (type === 'max_attempts') throw new TwilioFault(60202, 'Max check attempts reached', 429)
    throw type === undefined ? fault : notFound(request)
  }
}

/** By its SID; or the newest of a number, if it is still open. */
async function requireOtp(deps: HttpDeps, request: TwilioRequest, sid: string): Promise<OtpRecord> {
  requireService(request)
  const { caller } = request
  if (sid.startsWith('VE')) return readOtp(deps, caller.organisation_id, idOf('VE', sid))
  const found = await findOtps({ db: deps.db }, caller, { field: 'recipient', value: sid })
  const open = found.find(({ status }) => status === STATUS.SENT)
  if (!open) throw notFound(request)
  return open
}

function notFound({ path }: TwilioRequest): TwilioFault {
  return new TwilioFault(20404, `The requested resource ${path} was not found`, 404)
}

function requireService(request: TwilioRequest): void {
  if (!/^VA[0-9a-f]{32}$/i.test(request.params.ServiceSid ?? '')) throw notFound(request)
}

/** Limits on sending have a number of their own. */
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

function verification({ params, account_sid }: TwilioRequest, otp: OtpRecord, channel = 'sms'): object {
  const sid = twilioSid('VE', otp.id)
  const service_sid = params.ServiceSid ?? ''
  const status = STATUSES.get(otp.status) ?? 'pending'
  return {
    sid,
    service_sid,
    account_sid,
    to: `+${otp.recipient}`,
    channel,
    status,
    valid: status === 'approved',
    lookup: {},
    amount: null,
    payee: null,
    sna: null,
    send_code_attempts: [
      { attempt_sid: twilioSid('VL', otp.id), channel, time: new Date(otp.created_datetime).toISOString() },
    ],
    date_created: iso(otp.created_datetime),
    date_updated: iso(otp.updated_datetime ?? otp.created_datetime),
    url: `/v2/Services/${service_sid}/Verifications/${sid}`,
  }
}
