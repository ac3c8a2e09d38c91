import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** A secret for a cookie or a link: 32 random bytes. */
export function newToken(): string {
  return randomBytes(32).toString('base64url')
}

/** Anything longer was not made here, and is not looked at. */
export const LONGEST_TOKEN = 100

/** What is kept of it. The secret is random enough that a plain hash cannot be turned round. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

/** Known to who may read answers of the session, which pages of other sites may not. */
export function csrfToken(session_token: string): string {
  return createHmac('sha256', session_token).update('csrf').digest('base64url')
}

export function isCsrfToken(given: string, session_token: string): boolean {
  return timingSafeEqual(hashToken(given), hashToken(csrfToken(session_token)))
}

const CODES = 10
const LETTERS = 'abcdefghijkmnpqrstuvwxyz23456789' // 32, none that is mistaken for another

/** One-time substitutes for a lost authenticator: 80 random bits each. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: CODES }, () => {
    const letters = Array.from(randomBytes(16), (byte) => LETTERS[byte & 31])
    return [0, 4, 8, 12].map((at) => letters.slice(at, at + 4).join('')).join('-')
  })
}

export function hashRecoveryCode(code: string): Buffer {
  return hashToken(code.toLowerCase().replace(/[^a-z0-9]/g, ''))
}
