import type { Db } from '../db/connect.ts'
import type { OutgoingMessage } from '../carriers/message-carrier.ts'

export type QueuedDelivery = Omit<OutgoingMessage, 'organisation_id' | 'attempt'> & {
  sealed_text: Buffer | null
  /** The recipient has asked for silence since the message was taken. */
  opted_out: boolean | null
}

/** What is still to be handed over, of the given deliveries. */
export async function readQueued(
  db: Db,
  organisation_id: string,
  wanted: readonly { message_id: string; recipient: string }[],
): Promise<QueuedDelivery[]> {
  return db<QueuedDelivery[]>`
    select message_id, deliveries.recipient, channel, sender_id, coalesce(deliveries.text, content) as text,
      deliveries.pages, sealed_text, extract(epoch from expires_datetime - now())::float8 as expires_in_s,
      (
        select true from optouts
        where organisation_id = ${organisation_id} and optouts.recipient = deliveries.recipient
      ) as opted_out
    from unnest(
      ${wanted.map(({ message_id }) => message_id)}::uuid[],
      ${wanted.map(({ recipient }) => recipient)}::text[]
    ) as wanted (message_id, recipient)
    join deliveries using (message_id, recipient)
    join messages on messages.organisation_id = ${organisation_id} and messages.id = message_id
    where deliveries.organisation_id = ${organisation_id} and status = 'queued'`
}

export type HandedOver = {
  job_id: bigint
  message_id: string
  recipient: string
  carrier_message_id: string
  report_due_s: number
}

/** The carrier has them: `sent`, unless a hasty report has said more already. */
export async function recordHandedOver(
  db: Db,
  organisation_id: string,
  carrier: string,
  rows: readonly HandedOver[],
): Promise<void> {
  if (rows.length === 0) return
  await db`
    with handed_over as (
      select job_id, message_id, recipient, carrier_message_id, report_due_s
      from unnest(
        ${rows.map(({ job_id }) => String(job_id))}::bigint[],
        ${rows.map(({ message_id }) => message_id)}::uuid[],
        ${rows.map(({ recipient }) => recipient)}::text[],
        ${rows.map(({ carrier_message_id }) => carrier_message_id)}::text[],
        ${rows.map(({ report_due_s }) => report_due_s)}::float8[]
      ) as handed_over (job_id, message_id, recipient, carrier_message_id, report_due_s)
    ),
    sent as (
      update deliveries
      set status = 'sent', carrier = ${carrier}, sealed_text = null, updated_datetime = now(), sent_datetime = now()
      from handed_over
      where organisation_id = ${organisation_id}
        and deliveries.message_id = handed_over.message_id
        and deliveries.recipient = handed_over.recipient
        and status = 'queued'
    ),
    submission as (
      insert into submissions (carrier, carrier_message_id, organisation_id, message_id, recipient, report_due)
      select ${carrier}, carrier_message_id, ${organisation_id}, message_id, recipient,
        now() + report_due_s * interval '1 s'
      from handed_over
      on conflict (carrier, carrier_message_id) do nothing
    )
    delete from jobs using handed_over where jobs.id = handed_over.job_id`
}
