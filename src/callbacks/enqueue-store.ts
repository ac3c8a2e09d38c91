import type { Tx } from '../db/connect.ts'
import { prepare, type Query, type Sql } from '../db/sql.ts'
import { LEASE_S } from '../queue/worker.ts'

export type NewEvent = {
  id: string
  type: string
  /** The callback of the request it is about, where there is one. */
  url: string | null
  /** The lane of that url. */
  lane: string | null
  subject_id: string
  body: string
  /** It is put in line as claimed already, by whom it will be given to. */
  in_hand: boolean
}

/** Stores events for everybody who wants them and puts them in line, in one statement. */
export async function insertEvents(
  tx: Tx,
  queue: string,
  organisation_id: string,
  events: readonly NewEvent[],
): Promise<number> {
  const [row] = await prepare(tx<{ count: number }[]>`
    with event as (
      select id, type, url, lane, subject_id, body, false as in_hand
      from unnest(
        ${events.map(({ id }) => id)}::uuid[],
        ${events.map(({ type }) => type)}::text[],
        ${events.map(({ url }) => url)}::text[],
        ${events.map(({ lane }) => lane)}::uuid[],
        ${events.map(({ subject_id }) => subject_id)}::uuid[],
        ${events.map(({ body }) => body)}::text[]
      ) as event (id, type, url, lane, subject_id, body)
    ),
    ${storeEvents(tx, queue, organisation_id)}
    select count(*)::integer as count from job`)
  return row?.count ?? 0
}

/**
 * The further parts of a statement that store what its part `event` gives, and put it in line: for the callback of the
 * request, and for each enabled endpoint of the organisation whose filter fits. A copy for an endpoint gets an id made
 * of the event's: as old, and found from it. An endpoint is its own lane. What goes to the callback of the request may
 * be put in line as already `in_hand`. The last part, `job`, gives what was put in line.
 */
export function storeEvents(sql: Sql, queue: string, organisation_id: string): Query {
  return sql`callback as (
      select id, type, url, lane, subject_id, body, in_hand, null::uuid as webhook_id, null::uuid as event_id
      from event where url is not null
      union all
      select ${copyId(sql)}, type, webhook.url, webhook.id, subject_id, body, false, webhook.id, event.id
      from event
      join webhooks webhook on organisation_id = ${organisation_id} and enabled
        and events && array['*', type, split_part(type, '.', 1) || '.*']
      where body is not null
    ),
    stored as (
      insert into callbacks (organisation_id, id, type, url, body, subject_id, webhook_id, event_id)
      select ${organisation_id}, id, type, url, body, subject_id, webhook_id, event_id from callback
    ),
    job as (
      insert into jobs (queue, lane, organisation_id, subject_id, attempts, in_hand, leased_until)
      select ${queue}, lane, ${organisation_id}, id, in_hand::integer, in_hand,
        case when in_hand then now() + ${LEASE_S} * interval '1 s' end
      from callback
      returning id, subject_id, in_hand
    )`
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
    with event as (select ${event.id}::uuid as id),
    stored as (
      insert into callbacks (organisation_id, id, type, url, body, subject_id, webhook_id, event_id)
      select ${organisation_id}, ${copyId(tx)}, ${event.type}, url, ${event.body}, ${event.subject_id}, webhook.id,
        event.id
      from event join webhooks webhook on organisation_id = ${organisation_id} and webhook.id = ${webhook_id}
      returning id
    ),
    job as (
      insert into jobs (queue, lane, organisation_id, subject_id)
      select ${queue}, ${webhook_id}, ${organisation_id}, id from stored
    )
    select id from stored`
  return row?.id
}

/** The event's time and order, then 60 bits that only this endpoint's copy has. */
function copyId(sql: Sql) {
  return sql`overlay(
    overlay(md5(event.id::text || webhook.id::text) placing left(replace(event.id::text, '-', ''), 16) from 1)
    placing 'a' from 17
  )::uuid`
}
