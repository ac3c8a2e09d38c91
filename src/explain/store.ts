import type { Channel } from '../carriers/message-carrier.ts'
import type { Db } from '../db/connect.ts'
import type { DeliveryStatus } from '../messaging/schema.ts'
import { among, everyDelivery, everyMessage } from '../messaging/read/message-rows-store.ts'

export type ChargedMessage = {
  id: string
  channel: Channel
  encoding: 'GSM' | 'UCS-2' | 'binary'
  created_datetime: string
  is_otp: boolean
  /** What was charged for the OTP beside this message; null: nothing. */
  request_fee: bigint | null
  verified_fee: bigint | null
  verified_fee_refunded: boolean
}

export async function findChargedMessage(
  db: Db,
  organisation_id: string,
  id: string,
): Promise<ChargedMessage | undefined> {
  const [row] = await db<ChargedMessage[]>`
    select message.id, channel, encoding, created_datetime, is_otp is not null as is_otp, request_fee, verified_fee,
      coalesce(verified_fee_refunded, false) as verified_fee_refunded
    from ${everyMessage(db, organisation_id, among([id]))} message
    left join lateral (
      select true as is_otp, request_fee, verified_fee, verified_fee_refunded from otps
      where otps.organisation_id = ${organisation_id} and otps.id = message.id
      union all
      select true, null, null, false from otps
      where otps.organisation_id = ${organisation_id} and fallback_message_id = message.id
      union all
      select true, null, null, false from otps
      where otps.organisation_id = ${organisation_id} and resent_message_ids && array[message.id]
        and resent_message_ids <> '{}'
      limit 1
    ) otp on true`
  return row
}

/** A delivery with everything that is stored about its charge and its way. */
export type ChargedDelivery = {
  recipient: string
  status: DeliveryStatus
  text: string | null
  pages: number
  charge: bigint
  refunded: boolean
  price_rule_id: string | null
  promotional: boolean | null
  route: string
  carrier: string | null
  tried: string[] | null
  routing: number | null
  code: string | null
  description: string | null
  send_at: string | null
  created_datetime: string
  updated_datetime: string | null
  sent_datetime: string | null
  cost: bigint | null
  cost_if_delivered: boolean | null
}

/** Deliveries in the order they were asked for. */
export async function listCharged(
  db: Db,
  organisation_id: string,
  message_id: string,
  { recipient, skip, limit }: { recipient: string | undefined; skip: number; limit: number },
): Promise<ChargedDelivery[]> {
  return db<ChargedDelivery[]>`
    select recipient, status, coalesce(text, content) as text, pages, delivery.charge, refunded,
      price_rule_id::text as price_rule_id, promotional, route, carrier, tried, routing, code, description, send_at,
      delivery.created_datetime, updated_datetime, sent_datetime,
      cost, cost_if_delivered
    from ${everyDelivery(db, organisation_id, { ...among([message_id]), mention: recipient })} delivery
    cross join (select content from ${everyMessage(db, organisation_id, among([message_id]))} every) message
    where ${recipient ?? null}::text is null or recipient = ${recipient ?? null}
    order by position offset ${skip} limit ${limit}`
}
