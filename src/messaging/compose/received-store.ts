import type { Db } from '../../db/connect.ts'

/** A text that a person sent on WhatsApp, by its id, with the id that Meta gave it. */
export async function findReceived(
  db: Db,
  organisation_id: string,
  id: string,
  from: string,
): Promise<{ carrier: string; carrier_message_id: string } | undefined> {
  const [row] = await db<{ carrier: string; carrier_message_id: string }[]>`
    select carrier, carrier_message_id from inbound_messages
    where organisation_id = ${organisation_id} and id = ${id} and "from" = ${from} and carrier_message_id is not null`
  return row
}
