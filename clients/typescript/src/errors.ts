/** The error of one field of a request. */
export type Fault = { field: string; message: string; type: string }
export type ErrorBody = { status?: number; message?: string; errors?: Fault[] }

/** The service rejected a request. Nothing was changed or charged. */
export class GanganError extends Error {
  readonly status: number
  /** All errors of the request. */
  readonly faults: readonly Fault[]
  /** The id under which the operator finds it in the log. */
  readonly request_id: string | undefined
  /** The number of seconds after which it may be retried. */
  readonly retry_after_s: number | undefined

  constructor(status: number, body: ErrorBody | undefined, headers: Headers) {
    super(body?.message ?? `The service answered ${status}.`)
    this.name = new.target.name
    this.status = status
    this.faults = body?.errors ?? []
    this.request_id = headers.get('x-request-id') ?? undefined
    const seconds = Number(headers.get('retry-after') ?? Number.NaN)
    this.retry_after_s = Number.isFinite(seconds) ? seconds : undefined
  }
}

/** 400, 413, 415: `faults` says what to correct. */
export class InvalidRequestError extends GanganError {}
/** 401: the key is invalid. */
export class AuthenticationError extends GanganError {}
/** 402: the balance does not cover the charge. */
export class InsufficientBalanceError extends GanganError {}
/** 403: the key lacks the scope. */
export class PermissionError extends GanganError {}
/** 404: not found; for an OTP, `faults[0].type` says why it is not verified. */
export class NotFoundError extends GanganError {}
/** 409: the Idempotency-Key was used for another request, or it is too late. */
export class ConflictError extends GanganError {}
/** 429: too many requests, also after the last attempt. */
export class TooManyRequestsError extends GanganError {}
/** 500 and above: the service failed, also after the last attempt. */
export class ServiceError extends GanganError {}

/** There was no response, also after the last attempt: it is unknown whether the request was carried out. */
export class ConnectionError extends Error {
  constructor(cause: unknown) {
    super('The service did not answer.', { cause })
    this.name = 'ConnectionError'
  }
}

/** A request that is not signed by the service, or too old. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError'
}

const KINDS: Record<number, typeof GanganError> = {
  400: InvalidRequestError,
  401: AuthenticationError,
  402: InsufficientBalanceError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  413: InvalidRequestError,
  415: InvalidRequestError,
  429: TooManyRequestsError,
}

export function errorFor(status: number, body: ErrorBody | undefined, headers: Headers): GanganError {
  const Kind = KINDS[status] ?? (status >= 500 ? ServiceError : GanganError)
  return new Kind(status, body, headers)
}
