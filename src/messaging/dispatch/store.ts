import { whereItLies } from '../../db/cluster/where-it-lies.ts'
import { idArray } from '../../db/array.ts'
import type { Db, Tx } from '../../db/connect.ts'
import type { OutgoingMessage, OutgoingTemplate } from '../../carriers/message-carrier.ts'

export type QueuedDelivery = Omit<
  OutgoingMessage,
  'organisation_id' | 'attempt' | 'urgent' | 'token' | 'template' | 'binary' | 'trace' | 'traceparent'
> & {
  pages: number
  sealed_text: Buffer | null
  whatsapp: OutgoingTemplate | null
  is_binary: boolean
  /** The recipient has asked for silence since the message was taken. */
  opted_out: boolean | null
  /** The carrier that may have it from an earlier try. */
  maybe_with: string | null
  trace: string | null
  /** Where its states are posted. */
  callback: string | null
}

/** What is still to be handed over, of the given deliveries. */
export async function readQueued(
  db: Db,
  organisation_id: string,
  wanted: readonly { message_id: string; recipient: string }[],
): Promise<QueuedDelivery[]> {
  const there = whereItLies(db, organisation_id)
  return there<QueuedDelivery[]>`
    select message_id, deliveries.recipient, channel, sender_id, coalesce(deliveries.text, content) as text,
      deliveries.pages, sealed_text, whatsapp, carrier as maybe_with, encoding = 'binary' as is_binary,
      coalesce(promotional, false) as promotional,
      extract(epoch from expires_datetime - now())::float8 as expires_in_s,
      (
        select true from optouts
        where organisation_id = ${organisation_id} and optouts.recipient = deliveries.recipient
      ) as opted_out, replace(trace::text, '-', '') as trace, callback
    from unnest(
      ${idArray(wanted.map(({ message_id }) => message_id))}::uuid[],
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
  /** As they are kept, one for each segment. */
  ids: readonly string[]
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
  if (db.distributed) await storeSubmissions(db, organisation_id, carrier, rows)
  const segments = db.distributed
    ? []
    : rows.flatMap(({ ids, report_due_s }, place) =>
        ids.map((id, n) => ({ id, place, n, of: ids.length, report_due_s })),
      )
  await whereItLies(db, organisation_id)`
    select record_submitted(
      ${organisation_id}, ${carrier},
      ${idArray(rows.map(({ job_id }) => job_id))}::bigint[],
      ${idArray(rows.map(({ message_id }) => message_id))}::uuid[],
      ${rows.map(({ recipient }) => recipient)}::text[],
      ${segments.map(({ id }) => id)}::text[],
      ${idArray(segments.map(({ place }) => place + 1))}::integer[],
      ${idArray(segments.map(({ n }) => n + 1))}::smallint[],
      ${idArray(segments.map((segment) => segment.of))}::smallint[],
      ${idArray(segments.map(({ report_due_s }) => report_due_s))}::float8[]
    )`
}

/**
 * On a cluster what a carrier calls a delivery does not lie with its organisation: a report names none. It is written in
 * a transaction of its own, before the delivery is written as handed over; whoever dies in between leaves ids that are
 * known already, and a report that comes before the delivery is written waits for it. Twice changes nothing.
 */
export async function storeSubmissions(
  db: Db,
  organisation_id: string,
  carrier: string,
  rows: readonly Pick<HandedOver, 'message_id' | 'recipient' | 'ids' | 'report_due_s'>[],
): Promise<void> {
  const segments = rows.flatMap(({ message_id, recipient, ids, report_due_s }) =>
    ids.map((id, n) => ({ id, message_id, recipient, segment: n + 1, segments: ids.length, report_due_s })),
  )
  if (segments.length === 0) return
  await db`
    insert into submissions
      (carrier, carrier_message_id, organisation_id, message_id, recipient, segment, segments, report_due)
    select ${carrier}, id, ${organisation_id}, message_id, recipient, segment, segments,
      now() + report_due_s * interval '1 s'
    from unnest(
      ${segments.map(({ id }) => id)}::text[],
      ${idArray(segments.map(({ message_id }) => message_id))}::uuid[],
      ${segments.map(({ recipient }) => recipient)}::text[],
      ${idArray(segments.map(({ segment }) => segment))}::smallint[],
      ${idArray(segments.map((one) => one.segments))}::smallint[],
      ${idArray(segments.map(({ report_due_s }) => report_due_s))}::float8[]
    ) as given (id, message_id, recipient, segment, segments, report_due_s)
    where not exists (
      select from submissions known
      where known.carrier = ${carrier} and known.carrier_message_id = given.id
        and known.message_id = given.message_id and known.recipient = given.recipient
    )`
}

export type Taken = {
  message_id: string
  recipient: string
  segments: number
  ids: readonly { segment: number; carrier_message_id: string }[]
  report_due_s: number
}

/** Segments that a carrier has of messages whose fate is not known otherwise, so that reports on them find their way. */
export async function recordTaken(
  db: Db | Tx,
  organisation_id: string,
  carrier: string,
  rows: readonly Taken[],
): Promise<void> {
  const segments = rows.flatMap((row) => row.ids.map((id) => ({ ...row, ...id })))
  if (segments.length === 0) return
  await db`
    insert into submissions
      (carrier, carrier_message_id, organisation_id, message_id, recipient, segment, segments, report_due)
    select ${carrier}, id, ${organisation_id}, message_id, recipient, segment, segments,
      now() + report_due_s * interval '1 s'
    from unnest(
      ${segments.map(({ carrier_message_id }) => carrier_message_id)}::text[],
      ${idArray(segments.map(({ message_id }) => message_id))}::uuid[],
      ${segments.map(({ recipient }) => recipient)}::text[],
      ${idArray(segments.map(({ segment }) => segment))}::smallint[],
      ${idArray(segments.map((segment) => segment.segments))}::smallint[],
      ${idArray(segments.map(({ report_due_s }) => report_due_s))}::float8[]
    ) as segment (id, message_id, recipient, segment, segments, report_due_s)`
}

/** Deliveries that wait for another try, though a carrier may have them. */
export async function noteMaybeWith(
  db: Db,
  organisation_id: string,
  rows: readonly { message_id: string; recipient: string; maybe_with: string }[],
): Promise<void> {
  if (rows.length === 0) return
  await whereItLies(db, organisation_id)`
    update deliveries set carrier = maybe_with
    from unnest(
      ${idArray(rows.map(({ message_id }) => message_id))}::uuid[],
      ${rows.map(({ recipient }) => recipient)}::text[],
      ${rows.map(({ maybe_with }) => maybe_with)}::text[]
    ) as given (message_id, recipient, maybe_with)
    where organisation_id = ${organisation_id} and deliveries.message_id = given.message_id
      and deliveries.recipient = given.recipient and status = 'queued'`
}

/** The carrier did not take them: they wait for the next, which begins afresh. What has moved already stays. */
export async function moveOn(
  db: Db,
  organisation_id: string,
  carrier: string,
  next_queue: string,
  job_ids: readonly bigint[],
): Promise<void> {
  if (job_ids.length === 0) return
  await db`
    with moved as (
      update jobs set queue = ${next_queue}, attempts = 0, run_at = now(), in_hand = false
      where organisation_id = ${organisation_id} and id = any (${job_ids.map(String)}::bigint[])
        and queue <> ${next_queue}
      returning subject_id, subject_key
    )
    update deliveries set tried = coalesce(tried, '{}') || ${carrier}::text
    from moved
    where organisation_id = ${organisation_id} and message_id = subject_id and recipient = subject_key`
}
