import type { Db } from '../../db/connect.ts'
import { among, everyDelivery, everyMessage } from './message-rows-store.ts'
import type { DeliveryStatus } from '../schema.ts'

export type TimelineRow = {
  recipient: string
  status: DeliveryStatus
  text: string | null
  code: string | null
  description: string | null
  pages: number
  charge: bigint
  refunded: boolean
  send_at: string | null
  route: string
  carrier: string | null
  created_datetime: string
  updated_datetime: string | null
  sent_datetime: string | null
  read_datetime: string | null
  price_category: string | null
}

export async function findDelivery(
  db: Db,
  organisation_id: string,
  message_id: string,
  recipient: string,
): Promise<TimelineRow | undefined> {
  const [row] = await db<TimelineRow[]>`
    select recipient, delivery.status, coalesce(text, content) as text, code, description, delivery.pages,
      delivery.charge, refunded, send_at, route, carrier, delivery.created_datetime, updated_datetime, sent_datetime, read_datetime,
      price_category
    from ${everyDelivery(db, organisation_id, { ...among([message_id]), mention: recipient })} delivery
    cross join (select content from ${everyMessage(db, organisation_id, among([message_id]))} every) message
    where recipient = ${recipient}`
  return row
}

export type ClickedLink = {
  url: string
  code: string
  clicks: number
  clicks_raw: number
  clicked_datetime: string | null
}

/** The tracked links of one recipient, in the order of the text. */
export async function listLinksOf(
  db: Db,
  organisation_id: string,
  message_id: string,
  recipient: string,
  limit: number,
): Promise<ClickedLink[]> {
  return db<ClickedLink[]>`
    select url, code, clicks, clicks_raw, clicked_datetime from links
    where organisation_id = ${organisation_id} and message_id = ${message_id} and recipient = ${recipient}
    order by position limit ${limit}`
}

/** How often the links of some recipients were opened; those without tracked links are left out. */
export async function countClicks(
  db: Db,
  organisation_id: string,
  message_id: string,
  recipients: readonly string[],
): Promise<{ recipient: string; clicks: number; clicks_raw: number }[]> {
  return db<{ recipient: string; clicks: number; clicks_raw: number }[]>`
    select given.recipient, own.clicks, own.clicks_raw
    from unnest(${recipients}::text[]) as given (recipient)
    cross join lateral (
      select sum(clicks)::integer as clicks, sum(clicks_raw)::integer as clicks_raw from links
      where organisation_id = ${organisation_id} and message_id = ${message_id} and recipient = given.recipient
    ) own
    where own.clicks is not null`
}

/** The first deliveries of several messages as an export wants them, of each only those behind a position. */
export async function listOfMessages(
  db: Db,
  organisation_id: string,
  message_ids: readonly string[],
  wanted: { status: DeliveryStatus | undefined; recipient: string | undefined },
  { after, limit }: { after: number; limit: number },
): Promise<(TimelineRow & { message_id: string; position: number })[]> {
  return db<(TimelineRow & { message_id: string; position: number })[]>`
    select message_id, position, recipient, status, text, code, description, pages, charge, refunded, send_at, route, carrier,
      created_datetime, updated_datetime, sent_datetime, read_datetime,
      price_category
    from ${everyDelivery(db, organisation_id, { ...among(message_ids), mention: wanted.recipient })} delivery
    where message_id = any (${message_ids}::uuid[]) and position > ${after}
      ${wanted.status === undefined ? db`` : db`and status = ${wanted.status}`}
      ${wanted.recipient === undefined ? db`` : db`and recipient = ${wanted.recipient}`}
    order by message_id desc, position limit ${limit}`
}

/** Deliveries in the order they were asked for. */
export async function listSome(
  db: Db,
  organisation_id: string,
  message_id: string,
  wanted: { status: DeliveryStatus | undefined; recipient: string | undefined; skip: number; limit: number },
): Promise<TimelineRow[]> {
  return db<TimelineRow[]>`
    select recipient, status, text, code, description, pages, charge, refunded, send_at, route, carrier, created_datetime,
      updated_datetime, sent_datetime, read_datetime,
      price_category
    from ${everyDelivery(db, organisation_id, { ...among([message_id]), mention: wanted.recipient })} delivery
    where true
      ${wanted.status === undefined ? db`` : db`and status = ${wanted.status}`}
      ${wanted.recipient === undefined ? db`` : db`and recipient = ${wanted.recipient}`}
    order by position offset ${wanted.skip} limit ${wanted.limit}`
}
