import { createHash } from 'node:crypto'
import type { Tx } from '../db/connect.ts'
import { enqueue } from '../queue/store.ts'
import { newId } from '../values/id.ts'
import { insertCallbacks } from './store.ts'

export const CALLBACK_QUEUE = 'callbacks'

/** What a callback tells, before it has an id. */
export type CallbackEvent = {
  type: `text.${string}` | `airtime.${string}`
  url: string
  /** The message or purchase it is about. */
  subject_id: string
  created_datetime: string
  data: object
}

/** Stores callbacks and puts them in line, in the transaction of the change they tell about. */
export async function enqueueCallbacks(
  tx: Tx,
  organisation_id: string,
  events: readonly CallbackEvent[],
): Promise<void> {
  if (events.length === 0) return
  const callbacks = events.map(({ type, url, subject_id, created_datetime, data }) => {
    const id = newId()
    return { id, type, url, subject_id, body: JSON.stringify({ id, type, created_datetime, data }) }
  })
  await insertCallbacks(tx, organisation_id, callbacks)
  await enqueue(
    tx,
    CALLBACK_QUEUE,
    callbacks.map(({ id, url }) => ({ lane: endpointLane(organisation_id, url), organisation_id, subject_id: id })),
  )
}

/** One lane per organisation and host, so that an endpoint which hangs holds up nobody else's reports. */
export function endpointLane(organisation_id: string, url: string): string {
  const hex = createHash('sha256')
    .update(`${organisation_id} ${new URL(url).origin}`)
    .digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`
}
