import { createHash, createHmac, randomBytes, randomInt } from 'node:crypto'

/** Random digits without modulo bias; leading zeros are kept. */
export function newToken(length: number): string {
  return String(randomInt(10 ** length)).padStart(length, '0')
}

/** Another token of the same length; `isKnown`: which are in use besides. */
export function otherToken(token: string, isKnown: (other: string) => boolean = () => false): string {
  for (;;) {
    const other = newToken(token.length)
    if (other !== token && !isKnown(other)) return other
  }
}

/** The stored hash of a token. It is bound to its OTP, so that equal tokens have different hashes. */
export function hashToken(token_key: Uint8Array, otp_id: string, token: string): Buffer {
  return createHmac('sha256', token_key).update(`${otp_id} ${token}`).digest()
}

/**
 * Salts and hashes token hashes once more, so that the database compares unpredictable values and the time of the
 * comparison leaks nothing. Two are those of one token under the present and the former pepper.
 */
export function blind(...token_hashes: readonly Uint8Array[]): { salt: Buffer; blinded: Buffer } {
  const salt = randomBytes(16)
  const blinded = token_hashes.map((hash) => createHash('sha256').update(hash).update(salt).digest())
  return { salt, blinded: Buffer.concat(blinded) }
}

/** The binding under which a token is sealed until its fallback is sent. */
export function fallbackSeal(otp_id: string): string {
  return `fallback ${otp_id}`
}
