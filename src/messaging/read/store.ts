import type { Db } from '../../db/connect.ts'
import { prepare, type Query } from '../../db/sql.ts'
import type { Channel } from '../../carriers/message-carrier.ts'
import { amongNewest, mayHold, mayMention } from '../accept/bundle-store.ts'
import type { DeliveryStatus, SendBody } from '../schema.ts'

export type MessageRow = {
  id: string
  channel: Channel
  sender_id: string | null
  content: string | null
  template_id: string | null
  template_version: number | null
  personalisation: SendBody['personalisation'] | null
  external_ref: string | null
  is_trackable: boolean
  callback: string | null
  created_datetime: string
}

export type DeliveryRow = {
  recipient: string
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
}

export async function findMessage(db: Db, organisation_id: string, id: string): Promise<MessageRow | undefined> {
  const [row] = await prepare(db<MessageRow[]>`
    select id, channel, sender_id, content, template_id, template_version, personalisation, external_ref,
      is_trackable, callback, created_datetime
    from every_message
    where organisation_id = ${organisation_id} and id = ${id} and ${mayHold(db, [id])}`)
  return row
}

/** Newest first. */
export async function listMessages(
  db: Db,
  organisation_id: string,
  page: { external_ref?: string | undefined; before?: string | undefined; skip: number; limit: number },
): Promise<MessageRow[]> {
  return db<MessageRow[]>`
    select id, channel, sender_id, content, template_id, template_version, personalisation, external_ref,
      is_trackable, callback, created_datetime
    from every_message
    where organisation_id = ${organisation_id}
      and ${page.external_ref === undefined ? amongNewest(db, organisation_id, page.skip + page.limit, page.before) : isReferredTo(db, page.external_ref)}
      ${page.before === undefined ? db`` : db`and id < ${page.before} and first_id < ${page.before}`}
    order by id desc
    offset ${page.skip} limit ${page.limit}`
}

export function isReferredTo(db: Db, external_ref: string): Query {
  return db`external_ref = ${external_ref} and ${mayMention(db, 'external_ref', external_ref)}`
}

export async function countMessages(
  db: Db,
  organisation_id: string,
  external_ref: string | undefined,
  at_most: number,
): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::integer as count from (
      select 1 from every_message
      where organisation_id = ${organisation_id}
        ${external_ref === undefined ? db`` : db`and ${isReferredTo(db, external_ref)}`}
      limit ${at_most}
    ) counted`
  return row?.count ?? 0
}

export async function listDeliveries(db: Db, organisation_id: string, message_id: string): Promise<DeliveryRow[]> {
  return prepare(db<DeliveryRow[]>`
    select recipient, status, text, code, description, pages, charge, refunded, send_at, created_datetime, updated_datetime
    from every_delivery
    where organisation_id = ${organisation_id} and message_id = ${message_id}
      and ${mayHold(db, [message_id])}
    order by position`)
}

export type DeliverySummary = {
  message_id: string
  recipients: string[]
  /** When the first of them was to go, if none was to go at once. */
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
  return prepare(db<DeliverySummary[]>`
    select message_id, array_agg(recipient order by position) filter (where position < ${recipients}) as recipients,
      case when count(send_at) = count(*) then min(send_at) end as send_at, max(updated_datetime) as updated_datetime
    from (
      select message_id, recipient, position, send_at, updated_datetime from deliveries
      where organisation_id = ${organisation_id} and message_id = any (${message_ids}::uuid[])
      union all
      select message_id, recipient, position, null, null from packed_deliveries
      where organisation_id = ${organisation_id} and message_id = any (${message_ids}::uuid[])
        and first_position < ${recipients} -- and of the rest there is nothing to tell
      union all
      select message_id, recipient, position, null, null from bundled_deliveries
      where organisation_id = ${organisation_id} and message_id = any (${message_ids}::uuid[])
        and ${mayHold(db, message_ids)}
    ) every
    group by message_id`)
}
