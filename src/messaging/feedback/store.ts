import { byLayout, connectionsOf } from '../../db/layout.ts'
import type { Db } from '../../db/connect.ts'

export type DeliveryKey = { organisation_id: string; message_id: string; recipient: string }
export type Carried = DeliveryKey & { carrier: string; sent_datetime: string }

/** Undefined if no carrier accepted it, or it was deleted. */
export async function findCarried(
  db: Db,
  { organisation_id, message_id, recipient }: DeliveryKey,
): Promise<Carried | undefined> {
  const there = connectionsOf(db, organisation_id)
  const [row] = await there<Carried[]>`
    select organisation_id, message_id, recipient, carrier, sent_datetime from deliveries
    where organisation_id = ${organisation_id} and message_id = ${message_id} and recipient = ${recipient}
      and carrier is not null and sent_datetime is not null`
  return row
}

/**
 * The carrier's id of an accepted message. Submissions have no index by message, but become due a fixed time after the
 * message was recorded as sent: in the same transaction, or on a cluster shortly before or after.
 */
export async function findCarrierId(db: Db, one: Carried, report_due_s: number): Promise<string | undefined> {
  const tolerance_ms = byLayout(db, { single_server: 1, cluster: 5_000 })
  const [row] = await db<{ carrier_message_id: string }[]>`
    select carrier_message_id from submissions
    where report_due between ${one.sent_datetime}::timestamptz + (${report_due_s} - ${tolerance_ms} / 1000.0) * interval '1 s'
        and ${one.sent_datetime}::timestamptz + (${report_due_s} + ${tolerance_ms} / 1000.0) * interval '1 s'
      and carrier = ${one.carrier} and organisation_id = ${one.organisation_id} and message_id = ${one.message_id}
      and recipient = ${one.recipient}
    order by segment limit 1`
  return row?.carrier_message_id
}
