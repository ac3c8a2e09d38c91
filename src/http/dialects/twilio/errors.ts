import type { Fault, Refusal, RefusalCode } from '../../../values/refusal.ts'

/** An error in Twilio's format. */
export type TwilioError = { code: number; message: string; more_info: string; status: number }

/** An error that only Twilio has a code for. */
export class TwilioFault extends Error {
  readonly code: number
  readonly status: number

  constructor(code: number, message: string, status = 400) {
    super(message)
    this.name = 'TwilioFault'
    this.code = code
    this.status = status
  }
}

const BY_REFUSAL: Record<RefusalCode, number> = {
  invalid_request: 20001,
  unauthenticated: 20003,
  insufficient_balance: 20005,
  spending_limit: 20005,
  forbidden: 20003,
  not_found: 20404,
  method_not_allowed: 20004,
  conflict: 20409,
  idempotency_conflict: 20409,
  body_too_large: 20001,
  unsupported_media_type: 20001,
  too_many_requests: 20429,
  unavailable: 20503,
}

/** Converts a refusal to Twilio's error: by its first error item if Twilio has a code for it, else by its kind. */
export function twilioError(refusal: Refusal, status: number): TwilioError {
  const [fault] = refusal.faults
  const code = (fault && codeOfFault(fault)) ?? BY_REFUSAL[refusal.code]
  const message = refusal.code === 'unauthenticated' ? 'Authenticate' : (fault?.message ?? refusal.message)
  return errorOf(code, message, status)
}

export function errorOf(code: number, message: string, status: number): TwilioError {
  return { code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status }
}

function codeOfFault({ field, type }: Fault): number | undefined {
  if (field === 'recipient') return type === 'phone_invalid' ? 60200 : undefined
  if (field.startsWith('recipients')) return type === 'phone_invalid' ? 21211 : 21604
  if (field === 'sender_id') return type === 'missing' ? 21603 : type === 'invalid' ? 21606 : 21212
  if (field === 'content') return type === 'string_too_long' ? 21617 : 21602
  if (field === 'template_id') return type === 'not_found' ? 21655 : 63005
  if (field.startsWith('personalisation')) return 21656
  if (field.startsWith('whatsapp')) return 21620
  if (field === 'callback') return 21609
  if (field === 'send_at') return 35114
  if (field === 'token') return 60200
  return undefined
}
