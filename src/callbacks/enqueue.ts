import { createHash } from 'node:crypto'
import type { Tx } from '../db/connect.ts'
import { newId } from '../values/id.ts'
import { insertEvents, type NewEvent } from './enqueue-store.ts'
import { isSmpp, urlOf } from './formats/address.ts'

/** Callbacks that wait for a post; each is a job. */
export const CALLBACK_QUEUE = 'callbacks'
/** Bursts of callbacks that a process has in hand; each is one job. The functions name both queues, too. */
export const BURST_QUEUE = 'callbacks in hand'

/** What a callback tells, before it has an id. */
export type CallbackEvent = {
  type: `text.${string}` | `airtime.${string}` | `balance.${string}`
  /** The callback of the request it is about, as an address; null: only registered endpoints hear of it. */
  url: string | null
  /** The message, purchase or organisation it is about. */
  subject_id: string
  created_datetime: string
  data: object
}

/**
 * Stores events and puts them in line, in the transaction of the change they tell about: for the callback they name
 * and, unless `for_webhooks` is false, for every registered endpoint that wants them. Says how many posts that makes.
 */
export async function enqueueCallbacks(
  tx: Tx,
  organisation_id: string,
  events: readonly CallbackEvent[],
  { for_webhooks = true }: { for_webhooks?: boolean } = {},
): Promise<number> {
  if (events.length === 0) return 0
  return insertEvents(tx, organisation_id, writeEvents(organisation_id, events), for_webhooks)
}

/** Events as they are stored. */
export function writeEvents(organisation_id: string, events: readonly CallbackEvent[]): NewEvent[] {
  const laneOfUrl = new Map<string, string>()
  return events.map(({ type, url, subject_id, created_datetime, data }) => {
    let lane = url === null ? null : laneOfUrl.get(url)
    if (url !== null && lane === undefined && !isSmpp(url))
      laneOfUrl.set(url, (lane = endpointLane(organisation_id, url)))
    const { id, body } = writeEvent(type, created_datetime, data)
    return { id, type, body, url, lane: lane ?? null, subject_id, in_hand: false }
  })
}

/** The body is the same at every endpoint, and so is the id in it. */
export function writeEvent(type: string, created_datetime: string, data: object) {
  const id = newId()
  return { id, type, body: JSON.stringify({ id, type, created_datetime, data }) }
}

/** One lane per organisation and host, so that an endpoint which hangs holds up nobody else's reports. */
export function endpointLane(organisation_id: string, url: string): string {
  const hex = createHash('sha256')
    .update(`${organisation_id} ${new URL(urlOf(url)).origin}`)
    .digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`
}

/** A registered endpoint is a lane of its own. */
export function laneOf(organisation_id: string, callback: { webhook_id: string | null; url: string }): string {
  return callback.webhook_id ?? endpointLane(organisation_id, callback.url)
}
