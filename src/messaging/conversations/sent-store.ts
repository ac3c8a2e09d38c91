import type { Channel, OutgoingWhatsapp } from '../../carriers/message-carrier.ts'
import type { Db } from '../../db/connect.ts'
import { among, everyDelivery, everyMessage } from '../read/message-rows-store.ts'
import type { DeliveryStatus } from '../schema.ts'

export type SentRow = {
  id: string
  channel: Channel
  text: string | null
  whatsapp: OutgoingWhatsapp | null
  sender_id: string | null
  status: DeliveryStatus
  code: string | null
  description: string | null
  pages: number
  charge: bigint
  refunded: boolean
  send_at: string | null
  read_datetime: string | null
  created_datetime: string
}

/** Messages as one recipient received them. */
export async function findSent(
  db: Db,
  organisation_id: string,
  recipient: string,
  message_ids: readonly string[],
): Promise<SentRow[]> {
  const wanted = among(message_ids)
  return db<SentRow[]>`
    select message.id, channel, coalesce(delivery.text, content) as text, whatsapp, sender_id, delivery.status, code, description,
      delivery.pages, delivery.charge, refunded, send_at, read_datetime, message.created_datetime
    from ${everyMessage(db, organisation_id, wanted)} message
    join ${everyDelivery(db, organisation_id, { ...wanted, mention: recipient })} delivery on message_id = message.id
    where message.id = any (${message_ids}::uuid[]) and message_id = any (${message_ids}::uuid[])
      and recipient = ${recipient}`
}
