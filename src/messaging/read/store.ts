import type { Db } from '../../db/connect.ts'
import { prepare, type Query } from '../../db/sql.ts'
import type { Channel } from '../../carriers/message-carrier.ts'
import { among, everyDelivery, everyMessage, mentionOf } from './message-rows-store.ts'
import type { DeliveryStatus, SendBody } from '../schema.ts'

export type MessageRow = {
  id: string
  channel: Channel
  sender_id: string | null
  content: string | null
  template_id: string | null
  template_version: number | null
  /** Also null if it is too long: see `is_long`. */
  personalisation: SendBody['personalisation'] | null
  /** The personalisation was omitted because of its size. */
  is_long: boolean
  external_ref: string | null
  is_trackable: boolean
  callback: string | null
  created_datetime: string
}

export type DeliveryRow = {
  recipient: string
  /** Index among the recipients, from 0. */
  position: number
  status: DeliveryStatus
  text: string | null
  code: string | null
  description: string | null
  pages: number
  charge: bigint
  refunded: boolean
  send_at: string | null
  created_datetime: string
  updated_datetime: string | null
  read_datetime: string | null
  price_category: string | null
}

/** A personalisation of more than `personalised` bytes is omitted. */
export async function findMessage(
  db: Db,
  organisation_id: string,
  id: string,
  personalised: number,
): Promise<MessageRow | undefined> {
  const [row] = await prepare(db<MessageRow[]>`
    select ${columnsUpTo(db, personalised)}
    from ${prepare(everyMessage(db, organisation_id, among([id])))} message`)
  return row
}

function columnsUpTo(db: Db, personalised: number): Query {
  return db`id, channel, sender_id, content, template_id, template_version, external_ref, is_trackable, callback,
    created_datetime,
    case when octet_length(personalisation::text) <= ${personalised} then personalisation end as personalisation,
    coalesce(octet_length(personalisation::text) > ${personalised}, false) as is_long`
}

export async function isMessage(db: Db, organisation_id: string, id: string): Promise<boolean> {
  const rows = await db`select from ${everyMessage(db, organisation_id, among([id]))} message`
  return rows.length > 0
}

/** Entries of a message's personalisation as JSON without brackets; null after the last. */
export async function findPersonalisation(
  db: Db,
  organisation_id: string,
  id: string,
  { skip, limit }: { skip: number; limit: number },
): Promise<string | null> {
  const [row] = await db<{ entries: string | null }[]>`
    select string_agg(entry::text, ',' order by number) as entries
    from ${everyMessage(db, organisation_id, among([id]))} message
    cross join lateral jsonb_array_elements(personalisation) with ordinality as entries (entry, number)
    where number > ${skip} and number <= ${skip + limit}`
  return row?.entries ?? null
}

/** The beginnings of message texts by id; without messages in the intake and those without text. */
export async function findBeginnings(
  db: Db,
  organisation_id: string,
  ids: readonly string[],
  characters: number,
): Promise<Map<string, string>> {
  const { from, up_to } = among(ids)
  const found = await db<{ id: string; beginning: string }[]>`
    select id, left(content, ${characters}) as beginning from messages
    where organisation_id = ${organisation_id} and id >= ${from} and id <= ${up_to} and id = any (${ids}::uuid[])
      and content is not null`
  return new Map(found.map(({ id, beginning }) => [id, beginning]))
}

/** Newest first. A personalisation of more than `personalised` bytes is omitted. */
export async function listMessages(
  db: Db,
  organisation_id: string,
  personalised: number,
  page: Listed & { before?: string | undefined; skip: number; limit: number },
): Promise<MessageRow[]> {
  return db<MessageRow[]>`
    select ${columnsUpTo(db, personalised)}
    from ${everyMessage(db, organisation_id, { up_to: page.before, ...narrowed(page) })} message
    where ${isListed(db, page)} ${page.before === undefined ? db`` : db`and id < ${page.before}`}
    order by id desc
    offset ${page.skip} limit ${page.limit}`
}

/** Which messages are listed: with a reference, or some by their ids. */
type Listed = { external_ref?: string | undefined; ids?: readonly string[] | undefined }

function isListed(db: Db, { external_ref, ids }: Listed): Query {
  return db`true
    ${external_ref === undefined ? db`` : db`and external_ref = ${external_ref}`}
    ${ids === undefined ? db`` : db`and id = any (${ids}::uuid[])`}`
}

/** With a reference all intake rows that contain it are parsed, else only enough for the page. */
function narrowed({ external_ref, ids, skip, limit }: Listed & { skip: number; limit: number }) {
  if (ids) return { from: among(ids).from }
  return external_ref === undefined ? { newest: skip + limit + 1 } : { mention: mentionOf(external_ref) }
}

export async function countMessages(db: Db, organisation_id: string, listed: Listed, at_most: number): Promise<number> {
  const { external_ref, ids } = listed
  const wanted = ids ? among(ids) : { mention: external_ref === undefined ? undefined : mentionOf(external_ref) }
  const [row] = await db<{ count: number }[]>`
    select count(*)::integer as count from (
      select 1
      from ${everyMessage(db, organisation_id, wanted)} message
      where ${isListed(db, listed)}
      limit ${at_most}
    ) counted`
  return row?.count ?? 0
}

/** The deliveries of a message after a position, in the order of its recipients. */
export async function listDeliveries(
  db: Db,
  organisation_id: string,
  message_id: string,
  { after, limit }: { after: number; limit: number },
): Promise<DeliveryRow[]> {
  return prepare(db<DeliveryRow[]>`
    select ${deliveryColumns(db)}
    from ${prepare(everyDelivery(db, organisation_id, among([message_id])))} delivery
    where position > ${after}
    order by position limit ${limit}`)
}

/** The delivery to the first recipient of a message. */
export async function findFirstDelivery(
  db: Db,
  organisation_id: string,
  message_id: string,
): Promise<DeliveryRow | undefined> {
  const [row] = await prepare(db<DeliveryRow[]>`
    select ${deliveryColumns(db)}
    from ${prepare(everyDelivery(db, organisation_id, { ...among([message_id]), positions_below: 1 }))} delivery
    order by position limit 1`)
  return row
}

function deliveryColumns(db: Db): Query {
  return db`recipient, position, status, text, code, description, pages, charge, refunded, send_at, created_datetime,
    updated_datetime, read_datetime, price_category`
}

export type DeliverySummary = {
  message_id: string
  recipients: string[]
  /** The earliest scheduled time, if all deliveries are scheduled. */
  send_at: string | null
  updated_datetime: string | null
}

/** The first recipients of each message, and when the last of its deliveries was updated. */
export async function summariseDeliveries(
  db: Db,
  organisation_id: string,
  message_ids: readonly string[],
  recipients: number,
): Promise<DeliverySummary[]> {
  return db<DeliverySummary[]>`
    select message_id, array_agg(recipient order by position) filter (where position < ${recipients}) as recipients,
      case when count(send_at) = count(*) then min(send_at) end as send_at, max(updated_datetime) as updated_datetime
    from (
      select message_id, recipient, position, send_at, updated_datetime from deliveries
      where organisation_id = ${organisation_id} and message_id = any (${message_ids}::uuid[])
      union all
      -- Deliveries in the intake are neither scheduled nor updated.
      select message_id, recipient, position, null, null
      from ${everyWaiting(db, organisation_id, message_ids, recipients)} waiting
    ) every
    group by message_id`
}

function everyWaiting(db: Db, organisation_id: string, message_ids: readonly string[], recipients: number): Query {
  const { from, up_to } = among(message_ids)
  return db`(
    select message_id, recipient, position
    from waiting_deliveries(${organisation_id}, ${from}, ${up_to}, positions_below => ${recipients})
    where message_id = any (${message_ids}::uuid[])
  )`
}
