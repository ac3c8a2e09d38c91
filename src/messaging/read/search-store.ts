import type { Db } from '../../db/connect.ts'
import { containing } from '../../values/input/like.ts'
import type { Query, Sql } from '../../db/sql.ts'
import { withTimeout } from '../../db/transaction.ts'
import type { Channel } from '../../carriers/message-carrier.ts'
import { among, everyMessage, mentionOf } from './message-rows-store.ts'
import type { DeliveryStatus } from '../schema.ts'

/** Message ids are ordered by time, so a range of time is a range of the primary key. */
export type TimeRange = { from: string; before: string }

export type Match = {
  message_id: string
  recipient: string
  status: DeliveryStatus
  code: string | null
  description: string | null
}

/**
 * Messages with a delivery to this number, newest first. An index by number would cost every delivery a random write; the
 * primary key contains the number, so the range is scanned in that index alone.
 */
export async function findByRecipient(
  db: Db,
  organisation_id: string,
  { from, before }: TimeRange,
  wanted: { recipient: string; status: DeliveryStatus | undefined },
  { limit, timeout_ms }: { limit: number; timeout_ms: number },
): Promise<Match[]> {
  return withTimeout(
    db,
    timeout_ms,
    (sql) => sql<Match[]>`
    (
      select message_id, recipient, status, code, description
      from deliveries
      where organisation_id = ${organisation_id} and message_id >= ${from} and message_id < ${before}
        and recipient = ${wanted.recipient}
        ${wanted.status === undefined ? sql`` : sql`and status = ${wanted.status}`}
      order by message_id desc limit ${limit}
    )
    union all
    (
      select message_id, recipient, 'queued', null, null
      from waiting_deliveries(${organisation_id}, ${from}, ${before}, mention => ${wanted.recipient})
      where recipient = ${wanted.recipient} and message_id < ${before}
        and coalesce(${wanted.status ?? null}::text, 'queued') = 'queued'
      order by message_id desc limit ${limit}
    )
    order by message_id desc limit ${limit}`,
  )
}

/** Messages with a delivery in this state, newest first. */
export async function findByStatus(
  db: Db,
  organisation_id: string,
  { from, before }: TimeRange,
  status: DeliveryStatus,
  { limit, timeout_ms }: { limit: number; timeout_ms: number },
): Promise<{ message_id: string }[]> {
  return withTimeout(
    db,
    timeout_ms,
    (sql) => sql<{ message_id: string }[]>`
    (
      select distinct message_id
      from deliveries
      where organisation_id = ${organisation_id} and message_id >= ${from} and message_id < ${before}
        and status = ${status}
      order by message_id desc limit ${limit}
    )
    union
    (
      select distinct message_id
      from waiting_deliveries(${organisation_id}, ${from}, ${before}, newest => ${limit + 1})
      where message_id < ${before} and ${status} = 'queued'
      order by message_id desc limit ${limit}
    )
    order by message_id desc limit ${limit}`,
  )
}

/** Whether a message is not listed, because another one since `from` stands for it. */
export type Hides = (sql: Sql, message_id: Query, from: string) => Query

/** Hidden messages that may be in the intake; see `MAX_WAITING` of campaigns. */
const MAX_HIDDEN_WAITING = 2_500

/** Messages, optionally by reference, newest first. */
export async function findIds(
  db: Db,
  organisation_id: string,
  { from, before }: TimeRange,
  { external_ref, hides }: { external_ref: string | undefined; hides: Hides | undefined },
  limit: number,
): Promise<{ message_id: string }[]> {
  const newest = limit + 1 + (hides ? MAX_HIDDEN_WAITING : 0)
  const narrowed = external_ref === undefined ? { newest } : { mention: mentionOf(external_ref) }
  return db<{ message_id: string }[]>`
    select id as message_id
    from ${everyMessage(db, organisation_id, { from, up_to: before, ...narrowed })} message
    where id < ${before} ${external_ref === undefined ? db`` : db`and external_ref = ${external_ref}`}
      ${hides === undefined ? db`` : db`and not ${hides(db, db`message.id`, from)}`}
    order by id desc limit ${limit}`
}

/** Messages whose reference contains this text, ignoring case, newest first. */
export async function findByReferencePart(
  db: Db,
  organisation_id: string,
  { from, before }: TimeRange,
  wanted: { part: string; status: DeliveryStatus | undefined },
  { limit, timeout_ms }: { limit: number; timeout_ms: number },
): Promise<{ message_id: string }[]> {
  const pattern = containing(wanted.part)
  return withTimeout(
    db,
    timeout_ms,
    (sql) => sql<{ message_id: string }[]>`
    select id as message_id
    from ${everyMessage(sql, organisation_id, { from, up_to: before })} message
    where id < ${before} and external_ref ilike ${pattern}
      ${wanted.status === undefined ? sql`` : sql`and ${hasDelivery(sql, organisation_id, wanted.status)}`}
    order by id desc limit ${limit}`,
  )
}

function hasDelivery(sql: Sql, organisation_id: string, status: DeliveryStatus): Query {
  return sql`(
    exists (
      select 1 from deliveries
      where organisation_id = ${organisation_id} and message_id = message.id and status = ${status}
    )
    or (${status} = 'queued' and count_waiting(${organisation_id}, message.id) > 0)
  )`
}

export async function findOldest(db: Db, organisation_id: string): Promise<string | undefined> {
  const [row] = await db<{ id: string | null }[]>`
    select least(
      (select id from messages where organisation_id = ${organisation_id} order by id limit 1),
      (select first_id from intake where organisation_id = ${organisation_id} order by first_id limit 1)
    ) as id`
  return row?.id ?? undefined
}

export type SummaryRow = {
  id: string
  channel: Channel
  sender_id: string | null
  content: string | null
  template_id: string | null
  external_ref: string | null
  callback: string | null
  charge: bigint
  created_datetime: string
  recipients: string[]
  recipients_total: number
  statuses: Partial<Record<DeliveryStatus, number>>
  /** Sum of the refunds. */
  refunded: bigint
  /** The earliest time of its scheduled deliveries. */
  send_at: string | null
}

/** Messages with the number of deliveries by status, newest first. */
export async function summarise(
  db: Db,
  organisation_id: string,
  ids: readonly string[],
  recipients: number,
): Promise<SummaryRow[]> {
  return db<SummaryRow[]>`
    select id, channel, sender_id, content, template_id, external_ref, callback, charge, created_datetime,
      coalesce(shown.recipients, '{}') as recipients, coalesce(counted.total, 0)::integer as recipients_total,
      coalesce(counted.statuses, '{}') as statuses, coalesce(counted.refunded, 0)::bigint as refunded, counted.send_at
    from ${everyMessage(db, organisation_id, among(ids))} message
    cross join lateral (
      select array_agg(recipient order by position) as recipients
      from (
        select recipient, position from deliveries
        where organisation_id = ${organisation_id} and message_id = message.id and position < ${recipients}
        union all
        select recipient, position
        from waiting_deliveries(${organisation_id}, message.id, message.id, positions_below => ${recipients})
      ) every
    ) shown
    cross join lateral (
      select sum(n) as total, jsonb_object_agg(status, n) as statuses, sum(refunded) as refunded,
        min(send_at) as send_at
      from (
        select status, sum(n) as n, sum(refunded) as refunded,
          case when status = 'scheduled' then min(send_at) end as send_at
        from (
          select status, count(*) as n, sum(charge) filter (where refunded) as refunded, min(send_at) as send_at
          from deliveries
          where organisation_id = ${organisation_id} and message_id = message.id
          group by status
          union all
          select 'queued', count_waiting(${organisation_id}, message.id), null, null
        ) every
        group by status
        having sum(n) > 0
      ) state
    ) counted
    where id = any (${ids}::uuid[])
    order by id desc`
}
