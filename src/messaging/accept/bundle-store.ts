import type { Db } from '../../db/connect.ts'
import type { Query, Sql } from '../../db/sql.ts'
import type { Bundle } from './bundle.ts'
import { PRIORITY } from '../draft.ts'

export const UNBUNDLE_QUEUE = 'unbundle'

/** CTEs of the charging statement that store a bundle and the job that will open it. */
export function bundleCtes(sql: Sql, organisation_id: string, bundle: Bundle): Query {
  return sql`
    bundle as (
      insert into bundles (organisation_id, first_id, last_id, size, messages)
      select ${organisation_id}, ${bundle.first_id}::uuid, ${bundle.last_id}::uuid, ${bundle.size}::integer,
        ${bundle.messages}::text
      from spent
    ),
    unbundling as (
      insert into jobs (queue, priority, lane, organisation_id, subject_id)
      select ${UNBUNDLE_QUEUE}, ${PRIORITY.single}, ${organisation_id}, ${organisation_id}, ${bundle.last_id}::uuid
      from spent
    )`
}

/**
 * Turns bundles into messages, deliveries and entries in the queues of their routes, and finishes the jobs. One statement
 * that takes the bundles away: whoever comes second, or comes again, finds none and does nothing.
 */
export async function unbundle(
  db: Db,
  organisation_id: string,
  jobs: readonly { id: bigint; subject_id: string }[],
): Promise<{ route: string }[]> {
  // In one order: should two workers come to hold the same bundles, the second waits for the first and neither for both.
  const last_ids = jobs.map(({ subject_id }) => subject_id).sort()
  return db<{ route: string }[]>`
    with taken as (
      delete from bundles
      using unnest(${last_ids}::uuid[]) as wanted (last_id)
      where bundles.organisation_id = ${organisation_id} and bundles.last_id = wanted.last_id
      returning messages, created_datetime
    ),
    given as (
      select message.*, created_datetime from taken cross join lateral messages_in(messages) message
    ),
    message as (
      insert into messages
        (organisation_id, id, channel, sender_id, content, template_id, template_version, personalisation, external_ref,
         is_trackable, callback, encoding, message_length, pages, charge, created_datetime)
      select ${organisation_id}, id, channel, sender_id, content, template_id, template_version, personalisation,
        external_ref, is_trackable, callback, encoding, message_length, pages, charge, created_datetime
      from given
    ),
    one as (
      select given.id as message_id, priority, created_datetime, delivery.*
      from given cross join lateral deliveries_in(deliveries) delivery
    ),
    delivery as (
      insert into deliveries
        (organisation_id, message_id, recipient, position, status, pages, charge, route, text, whatsapp,
         created_datetime)
      select ${organisation_id}, message_id, recipient, position, 'queued', pages, charge, route, text, whatsapp,
        created_datetime
      from one
    ),
    job as (
      insert into jobs (queue, priority, lane, organisation_id, subject_id, subject_key)
      select 'route:' || route, priority, ${organisation_id}, ${organisation_id}, message_id, recipient from one
    ),
    finished as (
      delete from jobs where id = any (${jobs.map(({ id }) => String(id))}::bigint[])
    )
    select distinct route from one`
}

/** How many recipients of an organisation wait in bundles. */
export async function countBundled(db: Db, organisation_id: string): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select coalesce(sum(size), 0)::integer as count from bundles where organisation_id = ${organisation_id}`
  return row?.count ?? 0
}

/** The part of a condition that passes over bundles which can hold none of these messages, without reading them. */
export function mayHold(sql: Sql, message_ids: readonly string[]): Query {
  const ids = [...message_ids].sort()
  return sql`first_id <= ${ids.at(-1) ?? NO_ID} and last_id >= ${ids[0] ?? NO_ID}`
}

/**
 * Likewise for the newest `count` messages, before an id or of all: each bundle has one message at least, its last, so
 * there is no need to look behind as many bundles.
 */
export function amongNewest(sql: Sql, organisation_id: string, count: number, before?: string): Query {
  return sql`last_id >= coalesce((
      select last_id from bundles
      where organisation_id = ${organisation_id} and last_id < ${before ?? HIGHEST_ID}
      order by last_id desc offset ${count - 1} limit 1
    ), ${NO_ID})`
}

/** Likewise for messages of which something is known, as it is written there. */
export function mayMention(sql: Sql, field: 'external_ref' | 'recipient', value: string): Query {
  return sql`(bundle is null or strpos(bundle, ${`"${field}":${JSON.stringify(value)}`}) > 0)`
}

const HIGHEST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'
const NO_ID = '00000000-0000-0000-0000-000000000000'
