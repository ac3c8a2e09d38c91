import { idArray, sparse } from '../db/array.ts'
import { byLayout } from '../db/layout.ts'
import type { Tx } from '../db/connect.ts'

export type NewEvent = {
  organisation_id: string
  id: string
  type: string
  /** The callback of the request, if it has one. */
  url: string | null
  /** The lane of that URL; an SMPP account has none. */
  lane: string | null
  subject_id: string
  body: string
  /** Stored as leased by this process. */
  leased: boolean
}

/** Stores events of an organisation for all their receivers and enqueues them (`functions/callbacks.sql`). Returns the number of posts. */
export async function insertEvents(
  tx: Tx,
  organisation_id: string,
  events: readonly Omit<NewEvent, 'organisation_id' | 'leased'>[],
  for_webhooks = true,
): Promise<number> {
  const [row] = await tx<{ posts: number }[]>`
    select posts from store_events(
      ${byLayout(tx, { single_server: null, cluster: organisation_id })},
      ${idArray(events.map(() => organisation_id))}::uuid[],
      ${idArray(events.map(({ id }) => id))}::uuid[],
      ${idArray(events.map(({ type }) => type))}::text[],
      ${sparse(events.map(({ url }) => url))}::text[],
      ${sparse(events.map(({ lane }) => lane))}::uuid[],
      ${idArray(events.map(({ subject_id }) => subject_id))}::uuid[],
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
  event: Pick<NewEvent, 'id' | 'type' | 'subject_id' | 'body'>,
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
