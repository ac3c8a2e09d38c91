import { codeOf, messageOf } from '../../values/thrown.ts'
import { BlockedAddressError } from './address-guard.ts'

const MAX_DESCRIPTION_LENGTH = 200
/** Longest honoured `Retry-After`: the longest delay of the retry schedule. */
export const MAX_RETRY_AFTER_S = 3_600

export type FailureReason = 'timeout' | 'blocked' | 'connection' | 'tls' | 'dns' | 'aborted' | 'secret'

export type Failure = { reason: FailureReason; description: string }

export type PostOutcome =
  | {
      kind: 'answered'
      status: number
      excerpt: string
      text?: string | undefined
      is_plain?: boolean | undefined
      retry_after_s?: number | undefined
      duration_ms: number
    }
  | ({ kind: 'failed'; duration_ms: number } & Failure)

export function readable(bytes: Uint8Array): string {
  if (bytes.length === 0) return ''
  // In stream mode, a character that is cut off at the end is omitted.
  return withoutControls(new TextDecoder().decode(bytes, { stream: true }))
}

/** Removes control and bidirectional characters: PostgreSQL rejects NUL, and logs must not be spoofed. */
function withoutControls(text: string): string {
  return text.replace(/[\t\n\r]+/g, ' ').replace(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu, '')
}

/** Seconds or an HTTP date (RFC 9110, 10.2.3); anything else is ignored. */
export function retryAfter(value = ''): number | undefined {
  if (/^\d+$/.test(value)) return Math.min(Number(value), MAX_RETRY_AFTER_S)
  if (!value.endsWith(' GMT')) return undefined
  const wait_s = Math.ceil((Date.parse(value) - Date.now()) / 1_000)
  return Number.isNaN(wait_s) ? undefined : Math.min(Math.max(wait_s, 0), MAX_RETRY_AFTER_S)
}

const TIMEOUT_CODES = /^(ETIMEDOUT$|UND_ERR_CONNECT_TIMEOUT$)/
const DNS_CODES = /^(ENOTFOUND$|ENODATA$|ESERVFAIL$|EREFUSED$|ETIMEOUT$|EAI_)/
const TLS_CODES =
  /^(ERR_TLS_|ERR_SSL_|EPROTO$|CERT_|CRL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|INVALID_|PATH_LENGTH_|HOSTNAME_MISMATCH$)/

export function failureOf(error: unknown): Failure {
  if (error instanceof BlockedAddressError) return { reason: 'blocked', description: error.message }
  const code = codeOf(error) ?? ''
  // The message may quote the peer's certificate; it is empty if several addresses failed.
  const description = withoutControls(messageOf(error) || code || 'Unknown fault.').slice(0, MAX_DESCRIPTION_LENGTH)
  return { reason: reasonOf(code), description }
}

function reasonOf(code: string): FailureReason {
  if (TIMEOUT_CODES.test(code)) return 'timeout'
  if (DNS_CODES.test(code)) return 'dns'
  if (TLS_CODES.test(code)) return 'tls'
  return 'connection'
}
