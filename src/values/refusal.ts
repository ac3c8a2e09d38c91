/** Machine-readable kinds of field errors, the same for every endpoint. */
export const FAULT_TYPES = [
  'missing',
  'string_type',
  'number_type',
  'boolean_type',
  'list_type',
  'dict_type',
  'string_too_short',
  'string_too_long',
  'greater_than_equal',
  'less_than_equal',
  'enum',
  'url_parsing',
  'phone_invalid',
  'email_invalid',
  'date_invalid',
  'json_invalid',
  'unknown_column',
  'unknown_placeholder',
  'insufficient_balance',
  'spending_limit',
  'invalid',
  'expired',
  'used',
  'revoked',
  'max_attempts',
  'not_found',
] as const

export type FaultType = (typeof FAULT_TYPES)[number]

/** Maximum number of field errors in one response. */
export const MAX_FAULTS = 100

export type Fault = { field: string; message: string; type: FaultType }

export type RefusalCode =
  | 'invalid_request'
  | 'unauthenticated'
  | 'insufficient_balance'
  | 'spending_limit'
  | 'forbidden'
  | 'not_found'
  | 'method_not_allowed'
  | 'body_too_large'
  | 'unsupported_media_type'
  | 'conflict'
  | 'idempotency_conflict'
  | 'too_many_requests'
  | 'unavailable'

/** A request that is not carried out. Thrown by any module; the HTTP layer turns it into an error response. */
export class Refusal extends Error {
  readonly code: RefusalCode
  readonly faults: readonly Fault[]
  readonly retry_after_s: number | undefined

  constructor(code: RefusalCode, sentence: string, faults: readonly Fault[] = [], retry_after_s?: number) {
    super(sentence)
    this.name = 'Refusal'
    this.code = code
    this.faults = faults
    this.retry_after_s = retry_after_s
  }
}

/** Throws an `invalid_request` refusal with all faults, if there are any. */
export function refuseIfFaulty(faults: readonly Fault[]): void {
  if (faults.length > 0) throw new Refusal('invalid_request', 'The request is invalid.', faults)
}
