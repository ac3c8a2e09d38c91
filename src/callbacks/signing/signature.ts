import { createHmac, createSecretKey, randomBytes, type KeyObject } from 'node:crypto'
import { makeBoundedCache } from '../../values/concurrency/bounded-cache.ts'

const SECRET_PREFIX = 'whsec_'
const SECRET_BYTES = 32
/** The minimum of Standard Webhooks. A shorter key means a damaged secret. */
const MIN_SECRET_BYTES = 24

type SignatureHeaders = {
  'webhook-id': string
  'webhook-timestamp': string
  'webhook-signature': string
}

export function newSecret(): string {
  return SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64')
}

/**
 * The headers of Standard Webhooks for one attempt. The id is the same in every attempt, the timestamp is the attempt's own.
 * During a rotation both secrets sign, so the customer may verify with either.
 */
export function signatureHeaders(
  secrets: readonly string[],
  id: string,
  timestamp_s: number,
  body: string,
): SignatureHeaders {
  if (secrets.length === 0) throw new Error('A callback needs at least one secret to be signed with')
  const content = `${id}.${timestamp_s}.${body}`
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp_s),
    'webhook-signature': secrets.map((secret) => sign(secret, content)).join(' '),
  }
}

function sign(secret: string, content: string): string {
  return `v1,${createHmac('sha256', knownKey(secret)).update(content, 'utf8').digest('base64')}`
}

/** Keys of recently used secrets: creating one costs as much as a signature. */
const keys = makeBoundedCache<string, KeyObject>(2_000)

function knownKey(secret: string): KeyObject {
  let key = keys.get(secret)
  if (key === undefined) {
    key = createSecretKey(keyOf(secret))
    keys.set(secret, key)
  }
  return key
}

function keyOf(secret: string): Buffer {
  // The secret is never part of the error, which may be logged.
  if (!secret.startsWith(SECRET_PREFIX)) throw new Error(`A callback secret does not start with ${SECRET_PREFIX}`)
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64')
  if (key.length < MIN_SECRET_BYTES) throw new Error(`A callback secret is shorter than ${MIN_SECRET_BYTES} bytes`)
  return key
}
