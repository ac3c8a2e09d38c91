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

/** Which of these numbers have written to the organisation on WhatsApp in the last 24 hours. */
export async function findWriters(
  db: Db,
  organisation_id: string,
  numbers: readonly string[],
): Promise<ReadonlySet<string>> {
  const writers = await db<{ from: string }[]>`
    select distinct "from" from inbound_messages
    where organisation_id = ${organisation_id} and "from" = any (${numbers}::text[]) and channel = 'whatsapp'
      and id >= first_id_at(now() - interval '25 hours') and created_datetime > now() - interval '24 hours'`
  return new Set(writers.map(({ from }) => from))
}
