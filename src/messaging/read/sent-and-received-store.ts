import type { Db } from '../../db/connect.ts'
import type { Query, Sql } from '../../db/sql.ts'
import { withTimeout } from '../../db/transaction.ts'
import { inboundColumns, withMedia, type InboundRow } from '../inbound/store.ts'
import { among, everyMessage } from './message-rows-store.ts'
import type { Match, TimeRange } from './search-store.ts'

/** Addresses in all their stored spellings; undefined: any. */
export type Addresses = { from?: readonly string[] | undefined; to?: readonly string[] | undefined }

type Window = { limit: number; timeout_ms: number; upwards: boolean }

/** Sent messages by sender and recipient, without deleted ones. */
export async function findSent(
  db: Db,
  organisation_id: string,
  range: TimeRange,
  { from, to }: Addresses,
  { limit, timeout_ms, upwards }: Window,
): Promise<(Match | { message_id: string })[]> {
  return withTimeout(db, timeout_ms, (sql) => {
    const order = upwards ? sql`` : sql`desc`
    return to === undefined
      ? sql<{ message_id: string }[]>`
          select id as message_id from ${messages(sql, organisation_id, range, { from }, upwards ? undefined : limit)} message
          where ${isNotDeleted(sql, organisation_id, sql`message.id`)}
          order by id ${order} limit ${limit}`
      : sql<Match[]>`
          (
            select message_id, recipient, status, code, description from deliveries
            where organisation_id = ${organisation_id} and message_id >= ${range.from} and message_id < ${range.before}
              and recipient = any (${to}::text[])
              and ${isNotDeleted(sql, organisation_id, sql`message_id`)}
              and ${isFrom(sql, organisation_id, range, from)}
            order by message_id ${order} limit ${limit}
          )
          union all
          (
            select message_id, recipient, 'queued', null, null
            from waiting_deliveries(${organisation_id}, ${range.from}, ${range.before}, mention => ${to[0] ?? ''})
            where recipient = any (${to}::text[]) and message_id < ${range.before}
              and ${isFrom(sql, organisation_id, range, from)}
            order by message_id ${order} limit ${limit}
          )
          order by message_id ${order} limit ${limit}`
  })
}

function messages(
  sql: Sql,
  organisation_id: string,
  { from: from_id, before }: TimeRange,
  { from }: Addresses,
  newest: number | undefined,
): Query {
  const window = from === undefined && newest !== undefined ? { newest: newest + 1 } : {}
  return sql`(
    select id from ${everyMessage(sql, organisation_id, { from: from_id, up_to: before, ...window })} every
    where id < ${before} ${from === undefined ? sql`` : sql`and sender_id = any (${from}::text[])`}
  )`
}

function isFrom(sql: Sql, organisation_id: string, range: TimeRange, from: readonly string[] | undefined): Query {
  if (from === undefined) return sql`true`
  return sql`message_id in (select id from ${messages(sql, organisation_id, range, { from }, undefined)} own)`
}

/** A message in the intake cannot be deleted: that is only possible once it has been sent. */
function isNotDeleted(sql: Sql, organisation_id: string, id: Query): Query {
  return sql`not exists (
    select 1 from messages gone
    where gone.organisation_id = ${organisation_id} and gone.id = ${id} and gone.deleted_datetime is not null
  )`
}

/** Received texts by sender and receiving number. */
export async function findReceived(
  db: Db,
  organisation_id: string,
  { from: from_id, before }: TimeRange,
  { from, to }: Addresses,
  { limit, timeout_ms, upwards }: Window,
): Promise<InboundRow[]> {
  return withTimeout(
    db,
    timeout_ms,
    (sql) => sql<InboundRow[]>`
    select ${inboundColumns(sql)} from inbound_messages ${withMedia(sql, organisation_id)}
    where inbound_messages.organisation_id = ${organisation_id}
      and inbound_messages.id >= ${from_id} and inbound_messages.id < ${before}
      ${from === undefined ? sql`` : sql`and inbound_messages."from" = any (${from}::text[])`}
      ${to === undefined ? sql`` : sql`and "to" = any (${to}::text[])`}
    order by inbound_messages.id ${upwards ? sql`` : sql`desc`} limit ${limit}`,
  )
}

/** The oldest received text. */
export async function findOldestReceived(db: Db, organisation_id: string): Promise<string | undefined> {
  const [row] = await db<{ id: string }[]>`
    select id from inbound_messages where organisation_id = ${organisation_id} order by id limit 1`
  return row?.id
}

/** Fields of a message that our own API does not return. */
export async function findMarks(
  db: Db,
  organisation_id: string,
  id: string,
): Promise<{ callback: string | null; is_deleted: boolean }> {
  const [row] = await db<{ callback: string | null; is_deleted: boolean }[]>`
    select callback, not ${isNotDeleted(db, organisation_id, db`message.id`)} as is_deleted
    from ${everyMessage(db, organisation_id, among([id]))} message`
  return row ?? { callback: null, is_deleted: false }
}
