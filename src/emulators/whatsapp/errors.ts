/** An error of the Cloud API, as `POST /messages` and the other calls answer it. */
export class CloudFault extends Error {
  readonly code: number
  readonly details: string

  constructor(code: number, details: string) {
    super(details)
    this.code = code
    this.details = details
  }
}

/**
 * Titles and HTTP statuses as Meta documents them (Error codes, 15 May 2026). Codes that are not listed answer 400.
 * https://developers.facebook.com/documentation/business-messaging/whatsapp/support/error-codes
 */
const KNOWN: Record<number, { title: string; status: number }> = {
  0: { title: 'AuthException', status: 401 },
  3: { title: 'API Method', status: 500 },
  4: { title: 'API Too Many Calls', status: 400 },
  33: { title: 'Parameter value is not valid', status: 400 },
  100: { title: 'Invalid parameter', status: 400 },
  190: { title: 'Access token has expired', status: 401 },
  130429: { title: 'Rate limit hit', status: 429 },
  131000: { title: 'Something went wrong', status: 500 },
  131005: { title: 'Access denied', status: 403 },
  131008: { title: 'Required parameter is missing', status: 400 },
  131009: { title: 'Parameter value is not valid', status: 400 },
  131026: { title: 'Message undeliverable', status: 400 },
  131047: { title: 'Re-engagement message', status: 400 },
  131051: { title: 'Unsupported message type', status: 400 },
  131052: { title: 'Media download error', status: 400 },
  131053: { title: 'Media upload error', status: 400 },
  131056: { title: '(Business Account, Consumer Account) pair rate limit hit', status: 400 },
  132000: { title: 'Template Param Count Mismatch', status: 400 },
  132001: { title: 'Template does not exist', status: 404 },
  132005: { title: 'Template Hydrated Text Too Long', status: 400 },
  132012: { title: 'Template Parameter Format Mismatch', status: 400 },
  132015: { title: 'Template is Paused', status: 400 },
  132016: { title: 'Template is Disabled', status: 400 },
  132018: { title: 'Template parameter is not valid', status: 400 },
}

export function errorBody(code: number, details: string): object {
  return {
    error: {
      message: `(#${code}) ${KNOWN[code]?.title ?? 'An error'}`,
      type: 'OAuthException',
      code,
      error_data: { messaging_product: 'whatsapp', details },
      fbtrace_id: 'Az8or2yhqkZfEZ',
    },
  }
}

export function statusOfCode(code: number): number {
  return KNOWN[code]?.status ?? 400
}

export function titleOfCode(code: number): string {
  return KNOWN[code]?.title ?? 'An error'
}
