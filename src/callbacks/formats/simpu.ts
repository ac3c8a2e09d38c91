import { createHmac } from 'node:crypto'
import type { StoredEvent } from './event.ts'

/** The request of an event, as far as Simpu's format includes it. */
export type EventSubject = { callback: string | null; created_datetime: string }

/**
 * The event as Simpu posts it: `text.delivered` is `TEXT_DELIVERED`, and its data is one level deeper. `callback` is the
 * URL of the request, or else the URL it is posted to.
 */
export function simpuBody(
  { id, type, created_datetime, data }: StoredEvent,
  organisation_id: string,
  callback: string,
  subject: EventSubject | undefined,
): string {
  const [object = ''] = type.split('.')
  return JSON.stringify({
    data: {
      object: {
        ...data,
        ...(typeof data.amount === 'number' ? { amount: simpuAmount(data.amount) } : {}),
        object,
        organisation_id: organisation_id.replaceAll('-', ''),
        created_datetime: simpuDatetime(subject?.created_datetime ?? data.created_datetime ?? created_datetime),
        callback,
      },
    },
    id: `evt.${object}_${id.replaceAll('-', '')}`,
    object: 'event',
    type: type.toUpperCase().replaceAll('.', '_'),
    timestamp: simpuTimestamp(created_datetime),
  })
}

/** `12.0`, `99.5`: at least one decimal. */
function simpuAmount(amount: number): string {
  return Number.isInteger(amount) ? amount.toFixed(1) : String(amount)
}

/** In UTC, without the offset at the end of Gangan's timestamps. */
function simpuDatetime(datetime: unknown): string {
  return String(datetime).replace(/\+00:00$/, '')
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** `Sep 23, 2024, 8:20:01 PM`, in UTC. Not by `Intl`: recent versions separate `PM` by another kind of space. */
function simpuTimestamp(datetime: string): string {
  const at = new Date(datetime)
  const hours = at.getUTCHours()
  const clock = `${hours % 12 || 12}:${at.toISOString().slice(14, 19)} ${hours < 12 ? 'AM' : 'PM'}`
  return `${MONTHS[at.getUTCMonth()]} ${at.getUTCDate()}, ${at.getUTCFullYear()}, ${clock}`
}

/** Simpu signs the body alone, with HMAC-SHA-512 and the secret as it is written. */
export function simpuSignature(secret: string, body: string): string {
  return createHmac('sha512', secret).update(body, 'utf8').digest('base64')
}
