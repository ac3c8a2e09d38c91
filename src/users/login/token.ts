import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** A secret for a cookie or a link: 32 random bytes. */
export function newToken(): string {
  return randomBytes(32).toString('base64url')
}

/** Longer values are not ours and are rejected without hashing. */
export const LONGEST_TOKEN = 100

/** The stored hash. A plain hash suffices, because the secret is random. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

/** Pages of other sites cannot read it, because they cannot read responses of the session. */
export function csrfToken(session_token: string): string {
  return createHmac('sha256', session_token).update('csrf').digest('base64url')
}

export function isCsrfToken(given: string, session_token: string): boolean {
  return timingSafeEqual(hashToken(given), hashToken(csrfToken(session_token)))
}

const CODES = 10
const CHARACTERS = 'abcdefghijkmnpqrstuvwxyz23456789' // 32, without look-alikes

/** One-time substitutes for a lost authenticator: 80 random bits each. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: CODES }, () => {
    const characters = Array.from(randomBytes(16), (byte) => CHARACTERS[byte & 31])
    return [0, 4, 8, 12].map((at) => characters.slice(at, at + 4).join('')).join('-')
  })
}

export function hashRecoveryCode(code: string): Buffer {
  return hashToken(code.toLowerCase().replace(/[^a-z0-9]/g, ''))
}
