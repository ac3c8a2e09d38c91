import { sparse } from '../db/array.ts'
import type { Tx } from '../db/connect.ts'

export type NewEvent = {
  id: string
  type: string
  /** The callback of the request it is about, where there is one. */
  url: string | null
  /** The lane of that url; an account of SMPP has none. */
  lane: string | null
  subject_id: string
  body: string
  /** It is stored as claimed already, by whom it will be given to. */
  in_hand: boolean
}

/** Stores events for everybody who wants them and puts them in line (`functions/callbacks.sql`). Says how many posts it makes. */
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

/** An event for one endpoint alone, whatever its filter; undefined when there is no such endpoint. */
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
