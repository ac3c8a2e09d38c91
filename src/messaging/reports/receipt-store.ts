import type { CarrierReceipt, Channel } from '../../carriers/message-carrier.ts'
import type { Db, Tx } from '../../db/connect.ts'
import { rows } from '../../db/rows.ts'
import type { DeliveryStatus } from '../schema.ts'

/** A delivery that was read for the first time, with the fields of its callback. */
export type Read = {
  message_id: string
  recipient: string
  status: DeliveryStatus
  route: string
  price_category: string | null
  read_datetime: string
  channel: Channel
  sender_id: string | null
  template_id: string | null
  external_ref: string | null
  callback: string | null
  /** The organisation has enabled webhooks. */
  has_webhooks: boolean
}

const RECEIPT = { message_id: 'uuid', recipient: 'text', read_s: 'float8', price_category: 'text' } as const

/** Stores what is not known yet; returns the deliveries that were not read before. Exactly one caller gets each. */
export async function storeReceipts(
  tx: Tx,
  organisation_id: string,
  receipts: readonly CarrierReceipt[],
): Promise<Read[]> {
  return tx<Read[]>`
    with fresh as (
      select given.message_id, given.recipient, given.price_category,
        case when given.read_s is not null then least(now(), to_timestamp(given.read_s)) end as read_datetime,
        known.read_datetime is null and given.read_s is not null as is_read
      from ${rows(tx, receipts, 'given', RECEIPT)}
      cross join lateral (
        select read_datetime from deliveries
        where organisation_id = ${organisation_id}
          and message_id = given.message_id and recipient = given.recipient
          and ((read_datetime is null and given.read_s is not null)
            or (price_category is null and given.price_category is not null))
        for update
      ) known
    ),
    stored as (
      update deliveries
      set read_datetime = coalesce(deliveries.read_datetime, fresh.read_datetime),
        price_category = coalesce(deliveries.price_category, fresh.price_category)
      from fresh
      where organisation_id = ${organisation_id}
        and deliveries.message_id = fresh.message_id and deliveries.recipient = fresh.recipient
      returning deliveries.message_id, deliveries.recipient, deliveries.status, deliveries.route,
        deliveries.price_category, deliveries.read_datetime, is_read
    )
    select message_id, recipient, status, route, price_category, read_datetime, channel, sender_id, template_id,
      external_ref, callback,
      exists (select 1 from webhooks where organisation_id = ${organisation_id} and enabled) as has_webhooks
    from stored join messages on organisation_id = ${organisation_id} and id = message_id
    where is_read`
}

/** Whether one of these deliveries is still in the intake. */
export async function areWaiting(
  db: Db,
  organisation_id: string,
  receipts: readonly CarrierReceipt[],
): Promise<boolean> {
  const waiting = await db`
    select 1
    from ${rows(db, receipts, 'given', { message_id: 'uuid', recipient: 'text' })}
    where not exists (
      select from deliveries
      where organisation_id = ${organisation_id}
        and message_id = given.message_id and recipient = given.recipient
    ) and exists (
      select from waiting_deliveries(${organisation_id}, given.message_id, given.message_id) waiting
      where waiting.recipient = given.recipient
    )
    limit 1`
  return waiting.length > 0
}
