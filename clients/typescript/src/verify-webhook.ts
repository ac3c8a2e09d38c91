import { WebhookVerificationError } from './errors.ts'
import type { Event } from './types.ts'

/** Of the request: `webhook-id`, `webhook-timestamp` and `webhook-signature`, in the format of your framework. */
export type WebhookHeaders = Headers | Record<string, string | readonly string[] | undefined>

const TOLERANCE_S = 300

/**
 * Parses an event posted to a callback or a webhook, if it is signed with the secret and not older than five minutes.
 * `body` is the raw body, byte for byte, before any parsing.
 */
export async function verifyWebhook(
  body: string | Uint8Array<ArrayBuffer>,
  headers: WebhookHeaders,
  secret: string,
  now_ms = Date.now(),
): Promise<Event> {
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
  const id = header(headers, 'webhook-id')
  const timestamp = header(headers, 'webhook-timestamp')
  if (!(Math.abs(now_ms / 1_000 - Number(timestamp)) <= TOLERANCE_S)) {
    throw new WebhookVerificationError('The post is too old, or from the future.')
  }
  const raw = fromBase64(secret.replace(/^whsec_/, ''))
  const key = await crypto.subtle.importKey('raw', raw, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
  const head = new TextEncoder().encode(`${id}.${timestamp}.`)
  const signed = new Uint8Array(head.length + bytes.length)
  signed.set(head)
  signed.set(bytes, head.length)
  for (const part of header(headers, 'webhook-signature').split(' ')) {
    const [version, signature = ''] = part.split(',')
    if (version !== 'v1' || !/^[A-Za-z0-9+/]{43}=$/.test(signature)) continue
    if (await crypto.subtle.verify('HMAC', key, fromBase64(signature), signed)) {
      const event: Event = JSON.parse(new TextDecoder().decode(bytes))
      return event
    }
  }
  throw new WebhookVerificationError('The post is not signed with this secret.')
}

function header(headers: WebhookHeaders, name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : headers[name]
  if (typeof value !== 'string') throw new WebhookVerificationError(`The header ${name} is missing.`)
  return value
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
}
