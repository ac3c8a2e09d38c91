import type { FastifyRequest } from 'fastify'
import { isDatabaseUnreachable } from '../db/unreachable.ts'
import { MAX_FAULTS, Refusal, type Fault, type RefusalCode } from '../values/refusal.ts'
import { isRecord } from '../values/record.ts'
import { codeOf } from '../values/thrown.ts'

export type ErrorAnswer = { status: number; message: string; errors?: readonly Fault[] }

const STATUS: Record<RefusalCode, number> = {
  invalid_request: 400,
  unauthenticated: 401,
  insufficient_balance: 402,
  spending_limit: 402,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  idempotency_conflict: 409,
  body_too_large: 413,
  unsupported_media_type: 415,
  too_many_requests: 429,
  unavailable: 503,
}

/** Errors raised by Fastify. */
const FASTIFY: Record<string, Refusal> = {
  FST_ERR_CTP_BODY_TOO_LARGE: new Refusal('body_too_large', 'The body is too large.'),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: new Refusal('unsupported_media_type', 'The body must be application/json.'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: invalidBody('The body is not as long as Content-Length says.'),
}

export function invalidBody(message: string): Refusal {
  return new Refusal('invalid_request', message, [{ field: 'body', message, type: 'json_invalid' }])
}

/** Whether the caller's connection failed while the body was being received. */
export function isBrokenOff(fault: unknown, { raw }: FastifyRequest): boolean {
  return raw.errored !== null && raw.errored === fault
}

/** The answer to an error, and whether it is a bug to be logged. */
export function answerFault(fault: unknown): { answer: ErrorAnswer; retry_after_s?: number; ours: boolean } {
  const refusal = fault instanceof Refusal ? fault : FASTIFY[codeOf(fault) ?? '']
  if (refusal) {
    const { faults, retry_after_s } = refusal
    return {
      answer: { status: STATUS[refusal.code], ...errorItems(refusal.message, faults) },
      ...(retry_after_s === undefined ? {} : { retry_after_s }),
      ours: false,
    }
  }
  if (isDatabaseUnreachable(fault)) {
    const message = 'The service is not available at the moment. Nothing was charged twice: please try again.'
    return { answer: { status: 503, message }, retry_after_s: 1, ours: true }
  }
  const status = isRecord(fault) ? fault.statusCode : undefined
  if (typeof status === 'number' && status >= 400 && status < 500) {
    return { answer: { status, message: 'The request cannot be read.' }, ours: false }
  }
  return { answer: { status: 500, message: 'Something went wrong on our side.' }, ours: true }
}

/** The first errors, and a sentence that says if there are more. Long field names are shortened. */
function errorItems(message: string, faults: readonly Fault[]): Pick<ErrorAnswer, 'message' | 'errors'> {
  if (faults.length === 0) return { message }
  const errors = faults.slice(0, MAX_FAULTS).map(shortened)
  if (faults.length <= MAX_FAULTS) return { message, errors }
  return { message: `${message} These are the first ${MAX_FAULTS} of its faults; there are more.`, errors }
}

function shortened(fault: Fault): Fault {
  const { field, message } = fault
  if (field.length <= LONGEST_FIELD && message.length <= LONGEST_SENTENCE) return fault
  return { ...fault, field: cut(field, LONGEST_FIELD), message: cut(message, LONGEST_SENTENCE) }
}

const LONGEST_FIELD = 200
const LONGEST_SENTENCE = 1_000

/** Never cuts a surrogate pair. */
function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length).replace(/[\ud800-\udbff]$/, '')}…`
}
