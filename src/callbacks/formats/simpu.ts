import { createHmac } from 'node:crypto'
import type { StoredEvent } from './event.ts'

/** The event as clients of Simpu know it: `text.delivered` is `TEXT_DELIVERED`, and what it is about is one deeper. */
export function simpuBody({ type, created_datetime, data }: StoredEvent): string {
  return JSON.stringify({
    data: { object: data },
    object: 'event',
    type: type.toUpperCase().replaceAll('.', '_'),
    timestamp: created_datetime,
  })
}

/** They sign the body alone, with SHA-512, and the secret is taken as it is written. */
export function simpuSignature(secret: string, body: string): string {
  return createHmac('sha512', secret).update(body, 'utf8').digest('base64')
}
