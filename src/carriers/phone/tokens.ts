import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** Under which the tokens of phones are made; of the installation's pepper. */
export type PhoneKey = Uint8Array

/** Where the app finds us, behind our own address. */
export const PHONE_PATH = '/phones/v1'

/** Letters and digits that are not taken for each other: somebody may have to type them. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789'
const GROUPS = 5
const GROUP = 4

/**
 * What a phone says to join a carrier. It is made anew each time from the key and the number of the pairing, so that it
 * can be shown again and is nowhere kept; the next number makes another token.
 */
export function pairingToken(key: PhoneKey, carrier: string, pairing: number): string {
  const bytes = [...hmac(key, `pairing ${carrier} ${pairing}`)]
  const letters = bytes.map((byte) => ALPHABET[byte % ALPHABET.length])
  return Array.from({ length: GROUPS }, (_, n) => letters.slice(n * GROUP, (n + 1) * GROUP).join('')).join('-')
}

/** What a phone signs its webhooks with. */
export function signingKey(key: PhoneKey, phone_id: string): string {
  return hmac(key, `webhooks ${phone_id}`).toString('hex').slice(0, 32)
}

/** What a phone calls with, once it has joined; we keep its hash. */
export function newPhoneToken(): string {
  return randomBytes(24).toString('base64url')
}

const PHONE_TOKEN = /^[\w-]{32}$/

/** Undefined when it cannot be one of ours. */
export function hashPhoneToken(token: string): Buffer | undefined {
  return PHONE_TOKEN.test(token) ? createHash('sha256').update(token).digest() : undefined
}

const SIGNATURE = /^[\da-f]{64}$/i
/** A phone signs when it posts, and posts again when nobody answered; but its clock may be wrong. */
const LONGEST_AGO_S = 86_400

/** Whether the phone has signed these bytes: an HMAC over them and the time it said. */
export function isSignedByPhone(
  secret: string,
  raw: Buffer,
  { signature, timestamp }: { signature: unknown; timestamp: unknown },
): boolean {
  if (typeof signature !== 'string' || typeof timestamp !== 'string') return false
  if (!SIGNATURE.test(signature) || !/^\d{1,12}$/.test(timestamp)) return false
  if (Math.abs(Date.now() / 1_000 - Number(timestamp)) > LONGEST_AGO_S) return false
  const expected = createHmac('sha256', secret).update(raw).update(timestamp).digest()
  return timingSafeEqual(expected, Buffer.from(signature, 'hex'))
}

function hmac(key: PhoneKey, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}
