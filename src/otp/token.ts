import { createHash, createHmac, randomBytes, randomInt } from 'node:crypto'

/** Digits, each equally likely, leading zeros kept: `randomInt` has no bias, however many digits there are. */
export function newToken(length: number): string {
  return String(randomInt(10 ** length)).padStart(length, '0')
}

/** What is kept of a token. It is bound to its OTP, so that equal tokens do not look alike. */
export function hashToken(token_key: Uint8Array, otp_id: string, token: string): Buffer {
  return createHmac('sha256', token_key).update(`${otp_id} ${token}`).digest()
}

/**
 * A hash in a form the database can compare without telling by its time how much of it was right: both sides are
 * hashed once more together with bytes nobody can foresee.
 */
export function blind(token_hash: Uint8Array): { salt: Buffer; blinded: Buffer } {
  const salt = randomBytes(16)
  return { salt, blinded: createHash('sha256').update(token_hash).update(salt).digest() }
}

/** What the token that waits for its second channel is bound to. */
export function fallbackSeal(otp_id: string): string {
  return `fallback ${otp_id}`
}
