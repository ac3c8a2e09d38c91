import { createHash } from 'node:crypto'
import type { Tx } from '../db/connect.ts'
import { makeBoundedCache } from '../values/concurrency/bounded-cache.ts'
import { newId } from '../values/id.ts'
import { insertEvents, type NewEvent } from './enqueue-store.ts'
import { isSmpp, urlOf } from './formats/address.ts'

/** Callbacks that wait for a post, one job each. */
export const CALLBACK_QUEUE = 'callbacks'
/** Batches of callbacks leased by a process, one job each. The SQL functions name both queues, too. */
export const BURST_QUEUE = 'callback bursts'

/** An event before it has an id. */
export type CallbackEvent = {
  type: `text.${string}` | `airtime.${string}` | `balance.${string}`
  /** The callback address of the request; null: only registered endpoints receive it. */
  url: string | null
  /** The message, purchase or organisation of the event. */
  subject_id: string
  created_datetime: string
  data: object
}

/**
 * Stores and enqueues events in the transaction of the change they report: for their callback and, unless `for_webhooks`
 * is false, for every registered endpoint whose filter matches. Returns the number of posts.
 */
export async function enqueueCallbacks(
  tx: Tx,
  organisation_id: string,
  events: readonly CallbackEvent[],
  { for_webhooks = true }: { for_webhooks?: boolean } = {},
): Promise<number> {
  if (events.length === 0) return 0
  const written = events.map((event) => newEvent(organisation_id, event))
  return insertEvents(tx, organisation_id, written, for_webhooks)
}

export function newEvent(organisation_id: string, event: CallbackEvent): NewEvent {
  const { type, url, subject_id } = event
  const lane = url === null || isSmpp(url) ? null : endpointLane(organisation_id, url)
  const { id, body } = writeEvent(type, event.created_datetime, event.data)
  return { organisation_id, id, type, url, lane, subject_id, body, leased: false }
}

/** The body, including its id, is the same for every endpoint. */
export function writeEvent(type: string, created_datetime: string, data: object) {
  const id = newId()
  return { id, type, body: JSON.stringify({ id, type, created_datetime, data }) }
}

/** Lanes of callback URLs in recent use: parsing a URL and hashing it takes longer than writing the event. */
const lanes = makeBoundedCache<string, string>(10_000)

/** One lane per organisation and host: an endpoint that hangs delays only its own callbacks. */
export function endpointLane(organisation_id: string, url: string): string {
  const key = `${organisation_id} ${url}`
  let lane = lanes.get(key)
  if (lane === undefined) {
    const origin = `${organisation_id} ${new URL(urlOf(url)).origin}`
    const hex = createHash('sha256').update(origin).digest('hex')
    lane = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`
    lanes.set(key, lane)
  }
  return lane
}

/** A registered endpoint has its own lane. */
export function laneOf(organisation_id: string, callback: { webhook_id: string | null; url: string }): string {
  return callback.webhook_id ?? endpointLane(organisation_id, callback.url)
}
