import type { Channel } from '../carriers/message-carrier.ts'
import { readChannel } from '../messaging/compose/check.ts'
import { cleanPhone, dialPlan } from '../values/phone/phone.ts'
import { refuseIfFaulty, type Fault } from '../values/refusal.ts'
import { TOKEN_LENGTH, type RequestBody } from './schema.ts'
import { newToken } from './token.ts'

/** A validated request for an OTP. */
export type OtpRequest = { recipient: string; channel: Channel; minutes: number; token: string }

const DEFAULT_LENGTH = 4
const DEFAULT_MINUTES = 15

/** Validates a request, or refuses it with all of its faults. `shape_faults` are those of its schema. */
export function readRequest(
  { default_country, default_sender_id }: { default_country: string; default_sender_id: string | null },
  body: Partial<RequestBody>,
  shape_faults: readonly Fault[],
): OtpRequest {
  const faults = shape_faults.filter(({ field }) => field !== 'length' || body.token === undefined)
  const misshapen = new Set(faults.map(({ field }) => field))
  const sound = <K extends keyof RequestBody>(field: K): RequestBody[K] | undefined =>
    misshapen.has(field) ? undefined : body[field]

  const channel = readChannel(sound('channel'), faults)
  if (channel === 'sms' && default_sender_id === null) {
    const message = 'Your organisation has no default sender ID, which OTPs on sms need.'
    faults.push({ field: 'sender_id', message, type: 'missing' })
  }
  const given = sound('token')
  if (given !== undefined) checkToken('token', given, faults)
  const raw = sound('recipient')
  const recipient = raw === undefined ? undefined : cleanPhone(raw, dialPlan(default_country))
  if (raw !== undefined && recipient === undefined) {
    faults.push({ field: 'recipient', message: 'This is not a phone number.', type: 'phone_invalid' })
  }
  refuseIfFaulty(faults)
  return {
    recipient: recipient ?? '',
    channel,
    minutes: body.expires_in ?? DEFAULT_MINUTES,
    token: given ?? newToken(body.length ?? DEFAULT_LENGTH),
  }
}

export function checkToken(field: string, token: string, faults: Fault[]): void {
  const { shortest, longest } = TOKEN_LENGTH
  if (token.length < shortest) {
    faults.push({ field, message: `A token has at least ${shortest} characters.`, type: 'string_too_short' })
  } else if (token.length > longest) {
    faults.push({ field, message: `A token has at most ${longest} characters.`, type: 'string_too_long' })
  } else if (!/^[A-Za-z0-9]*$/.test(token)) {
    faults.push({ field, message: 'A token is made of letters and digits only.', type: 'invalid' })
  }
}
