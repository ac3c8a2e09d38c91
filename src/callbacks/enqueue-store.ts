import { sparse } from '../db/array.ts'
import type { Tx } from '../db/connect.ts'

export type NewEvent = {
  id: string
  type: string
  /** The callback of the request, if it has one. */
  url: string | null
  /** The lane of that URL; an SMPP account has none. */
  lane: string | null
  subject_id: string
  body: string
  /** Stored as leased by this process. */
  in_hand: boolean
}

/** Stores events for all their receivers and enqueues them (`functions/callbacks.sql`). Returns the number of posts. */
export async function insertEvents(
  tx: Tx,
  organisation_id: string,
  events: readonly NewEvent[],
  for_webhooks = true,
): Promise<number> {
  const [row] = await tx<{ posts: number }[]>`
    select posts from store_events(
      ${organisation_id},
      ${events.map(({ id }) => id)}::uuid[],
      ${events.map(({ type }) => type)}::text[],
      ${sparse(events.map(({ url }) => url))}::text[],
      ${sparse(events.map(({ lane }) => lane))}::uuid[],
      ${events.map(({ subject_id }) => subject_id)}::uuid[],
      ${events.map(({ body }) => body)}::text[],
      '{}', null, 0, ${for_webhooks}
    )`
  return row?.posts ?? 0
}

/** Stores an event for one endpoint, regardless of its filter; undefined if there is no such endpoint. */
export async function insertEventFor(
  tx: Tx,
  queue: string,
  organisation_id: string,
  webhook_id: string,
  event: Omit<NewEvent, 'url' | 'lane' | 'in_hand'>,
): Promise<string | undefined> {
  const [row] = await tx<{ id: string }[]>`
    with stored as (
      insert into callbacks (organisation_id, id, type, url, body, subject_id, webhook_id, event_id)
      select ${organisation_id}, copy_id(${event.id}, id), ${event.type}, url, ${event.body}, ${event.subject_id}, id,
        ${event.id}
      from webhooks where organisation_id = ${organisation_id} and id = ${webhook_id}
      returning id
    ),
    job as (
      insert into jobs (queue, lane, organisation_id, subject_id)
      select ${queue}, ${webhook_id}, ${organisation_id}, id from stored
    )
    select id from stored`
  return row?.id
}
