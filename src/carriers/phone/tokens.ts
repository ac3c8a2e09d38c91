import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** Derives the tokens of phones; itself derived from the installation's pepper. */
export type PhoneKey = Uint8Array

/** The path of the phone API. */
export const PHONE_PATH = '/phones/v1'

/** Without characters that look alike: the token may be typed by hand. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789'
const GROUPS = 5
const GROUP = 4

/**
 * The token with which a phone joins a carrier. It is derived from the key and the pairing number, so that it can be shown
 * again without being stored; the next number gives another token.
 */
export function pairingToken(key: PhoneKey, carrier: string, pairing: number): string {
  const bytes = [...hmac(key, `pairing ${carrier} ${pairing}`)]
  const characters = bytes.map((byte) => ALPHABET[byte % ALPHABET.length])
  return Array.from({ length: GROUPS }, (_, n) => characters.slice(n * GROUP, (n + 1) * GROUP).join('')).join('-')
}

/** The key with which a phone signs its events. */
export function signingKey(key: PhoneKey, phone_id: string): string {
  return hmac(key, `webhooks ${phone_id}`).toString('hex').slice(0, 32)
}

/** The token of a phone that has joined; only its hash is stored. */
export function newPhoneToken(): string {
  return randomBytes(24).toString('base64url')
}

const PHONE_TOKEN = /^[\w-]{32}$/

/** Undefined if the format is wrong. */
export function hashPhoneToken(token: string): Buffer | undefined {
  return PHONE_TOKEN.test(token) ? createHash('sha256').update(token).digest() : undefined
}

const SIGNATURE = /^[\da-f]{64}$/i
/** Tolerates retries of an event that was not answered, and wrong clocks. */
const MAX_AGE_S = 86_400

/** Whether the phone has signed these bytes: an HMAC over them and its timestamp. */
export function isSignedByPhone(
  secret: string,
  raw: Buffer,
  { signature, timestamp }: { signature: unknown; timestamp: unknown },
): boolean {
  if (typeof signature !== 'string' || typeof timestamp !== 'string') return false
  if (!SIGNATURE.test(signature) || !/^\d{1,12}$/.test(timestamp)) return false
  if (Math.abs(Date.now() / 1_000 - Number(timestamp)) > MAX_AGE_S) return false
  const expected = createHmac('sha256', secret).update(raw).update(timestamp).digest()
  return timingSafeEqual(expected, Buffer.from(signature, 'hex'))
}

function hmac(key: PhoneKey, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}
