import type { FastifyError } from 'fastify'
import { isDatabaseAway } from '../db/away.ts'
import { Refusal, type Fault, type RefusalCode } from '../values/refusal.ts'

export type ErrorAnswer = { status: number; message: string; errors?: readonly Fault[] }

const STATUS: Record<RefusalCode, number> = {
  invalid_request: 400,
  unauthenticated: 401,
  insufficient_balance: 402,
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

/** The faults Fastify itself finds, in our words. */
const FASTIFY: Record<string, Refusal> = {
  FST_ERR_CTP_BODY_TOO_LARGE: new Refusal('body_too_large', 'The body is too large.'),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: new Refusal('unsupported_media_type', 'The body must be application/json.'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: invalidBody('The body is not as long as Content-Length says.'),
}

export function invalidBody(message: string): Refusal {
  return new Refusal('invalid_request', message, [{ field: 'body', message, type: 'json_invalid' }])
}

/** What to answer to a fault, and whether it is ours and belongs in the log. */
export function answerFault(fault: unknown): { answer: ErrorAnswer; retry_after_s?: number; ours: boolean } {
  const refusal = fault instanceof Refusal ? fault : FASTIFY[(fault as FastifyError | null)?.code ?? '']
  if (refusal) {
    const { faults, retry_after_s } = refusal
    const answer = { status: STATUS[refusal.code], message: refusal.message }
    return {
      answer: faults.length > 0 ? { ...answer, errors: faults } : answer,
      ...(retry_after_s === undefined ? {} : { retry_after_s }),
      ours: false,
    }
  }
  if (isDatabaseAway(fault)) {
    const message = 'The service is not available at the moment. Nothing was charged twice: please try again.'
    return { answer: { status: 503, message }, retry_after_s: 1, ours: true }
  }
  const status = (fault as FastifyError | null)?.statusCode
  if (status !== undefined && status >= 400 && status < 500) {
    return { answer: { status, message: 'The request cannot be read.' }, ours: false }
  }
  return { answer: { status: 500, message: 'Something went wrong on our side.' }, ours: true }
}
