import { Type } from '../values/schema/type.ts'
import { ErrorAnswer } from './schema.ts'

const WHEN = {
  400: 'A field is invalid, or the body is not JSON. All errors are listed, up to a hundred.',
  401: 'No key, or an unknown, revoked or expired one.',
  402: 'The balance does not cover the charge. Nothing was stored or charged.',
  403: 'The key lacks the scope.',
  404: 'Not found in your organisation.',
  405: 'The path exists, but not with this method.',
  409: 'The Idempotency-Key was used with another request, or the first request is still running; or the state no longer allows this.',
  413: 'The body is too large.',
  415: 'The body is not application/json, or it is encoded.',
  429: 'Too many requests; retry after `Retry-After` seconds.',
  500: 'Internal error. The log has the details under the `x-request-id`.',
  503: 'The database is unavailable. Retry later.',
} as const

export type ErrorStatus = keyof typeof WHEN

const EXAMPLES: Partial<Record<ErrorStatus, object>> = {
  400: { errors: [{ field: 'recipients', message: 'This field is required.', type: 'missing' }] },
  402: {
    errors: [{ field: 'balance', message: 'The balance does not cover the charge.', type: 'insufficient_balance' }],
  },
}

/** The error responses of a route, for the reference. */
export function errorAnswers(statuses: readonly ErrorStatus[]): Record<number, object> {
  return Object.fromEntries(
    statuses.map((status) => [
      status,
      Type.Object(ErrorAnswer.properties, {
        description: WHEN[status],
        examples: [{ status, message: WHEN[status], ...EXAMPLES[status] }],
      }),
    ]),
  )
}
