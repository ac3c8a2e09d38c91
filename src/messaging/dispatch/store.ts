import { byLayout, connectionsOf } from '../../db/layout.ts'
import { idArray, sparse } from '../../db/array.ts'
import type { Db, Tx } from '../../db/connect.ts'
import type { Cost } from '../../carriers/costs.ts'
import type { TakenSegments } from '../../carriers/message-carrier.ts'
import { joinIds } from '../submission.ts'
import type { Attempt } from './target.ts'

/** A delivery as it is stored, for a retry. */
export type QueuedDelivery = Omit<Attempt, 'organisation_id' | 'attempt' | 'interrupted'> & {
  charge: bigint
  /** The address of its status callbacks. */
  callback: string | null
}

/** Those of the deliveries that are still to be submitted. */
export async function readQueued(
  db: Db,
  organisation_id: string,
  wanted: readonly { message_id: string; recipient: string }[],
): Promise<QueuedDelivery[]> {
  const there = connectionsOf(db, organisation_id)
  return there<QueuedDelivery[]>`
    select message_id, deliveries.recipient, channel, sender_id, coalesce(deliveries.text, content) as text,
      deliveries.pages, deliveries.charge, sealed_text, whatsapp, carrier as possible_carrier, encoding = 'binary' as is_binary,
      coalesce(tried, '{}') as tried,
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

/** A delivery that a carrier has accepted, with its id of each segment. */
export type Submitted = {
  carrier: string
  message_id: string
  recipient: string
  ids: readonly string[]
  report_due_s: number
}

/**
 * Marks retried deliveries as `sent`, unless a report that arrived first has said more, and ends their jobs. Of one
 * organisation or, on a single server, of several, sorted by organisation. If that has to wait long for a lock, it fails.
 */
export async function recordSubmitted(
  db: Db,
  carrier: string,
  rows: readonly (Omit<Submitted, 'carrier'> & { organisation_id: string; job_id: bigint; cost?: Cost | undefined })[],
): Promise<void> {
  const organisation_id = rows[0]?.organisation_id
  if (organisation_id === undefined) return
  await storeSubmissionsApart(
    db,
    organisation_id,
    rows.map((row) => ({ ...row, carrier })),
  )
  await connectionsOf(db, organisation_id)`
    select record_submitted(
      ${byLayout(db, { single_server: null, cluster: organisation_id })}::uuid, ${carrier},
      ${idArray(rows.map((row) => row.organisation_id))}::uuid[],
      ${idArray(rows.map(({ job_id }) => job_id))}::bigint[],
      ${idArray(rows.map(({ message_id }) => message_id))}::uuid[],
      ${rows.map(({ recipient }) => recipient)}::text[],
      ${byLayout(db, { single_server: rows, cluster: [] }).map(({ ids }) => joinIds(ids))}::text[],
      ${idArray(rows.map(({ report_due_s }) => report_due_s))}::float8[],
      ${sparse(rows.map(({ cost }) => cost?.cost ?? null))}::bigint[],
      ${rows.find(({ cost }) => cost)?.cost?.if_delivered || null}::boolean
    )`
}

/** On a single server the statement that records the deliveries also stores their carrier message ids. */
export async function storeSubmissionsApart(...args: Parameters<typeof storeSubmissions>): Promise<void> {
  await byLayout(args[0], { single_server: async () => {}, cluster: storeSubmissions })(...args)
}

/**
 * Stores the ids under which carriers know deliveries. Idempotent.
 *
 * On a cluster they are not colocated with the organisation, since a report names none. They are stored in a transaction of
 * their own before the delivery is: after a crash in between the ids are known, and a report that arrives before the
 * delivery is recorded waits for it.
 */
export async function storeSubmissions(
  sql: Db | Tx,
  organisation_id: string,
  rows: readonly Submitted[],
): Promise<void> {
  if (rows.length === 0) return
  await sql`
    select store_submissions(
      ${rows.map(({ carrier }) => carrier)}::text[],
      ${idArray(rows.map(() => organisation_id))}::uuid[],
      ${idArray(rows.map(({ message_id }) => message_id))}::uuid[],
      ${rows.map(({ recipient }) => recipient)}::text[],
      ${rows.map(({ ids }) => joinIds(ids))}::text[],
      ${idArray(rows.map(({ report_due_s }) => report_due_s))}::float8[],
      true
    )`
}

export type Taken = { carrier: string; message_id: string; recipient: string } & TakenSegments

/** Stores the ids of segments that carriers have of messages whose outcome is not known, so that reports are matched. */
export async function recordTaken(sql: Db | Tx, organisation_id: string, rows: readonly Taken[]): Promise<void> {
  const known = rows.filter(({ ids }) => ids.length > 0)
  await storeSubmissions(
    sql,
    organisation_id,
    known.map(({ carrier, message_id, recipient, segments, ids, report_due_s }) => {
      const all = Array.from({ length: segments }, () => '')
      for (const { segment, carrier_message_id } of ids) all[segment - 1] = carrier_message_id
      return { carrier, message_id, recipient, ids: all, report_due_s }
    }),
  )
}

/** Stores, for deliveries that wait for a retry, which carrier may have them already. */
export async function notePossibleCarriers(
  db: Db,
  organisation_id: string,
  rows: readonly { message_id: string; recipient: string; possible_carrier: string }[],
): Promise<void> {
  if (rows.length === 0) return
  await connectionsOf(db, organisation_id)`
    update deliveries set carrier = possible_carrier
    from unnest(
      ${idArray(rows.map(({ message_id }) => message_id))}::uuid[],
      ${rows.map(({ recipient }) => recipient)}::text[],
      ${rows.map(({ possible_carrier }) => possible_carrier)}::text[]
    ) as given (message_id, recipient, possible_carrier)
    where organisation_id = ${organisation_id} and deliveries.message_id = given.message_id
      and deliveries.recipient = given.recipient and status = 'queued'`
}

/** Moves jobs to the queue of the next carrier, with no attempts counted. Idempotent. */
export async function moveToNext(
  db: Db,
  organisation_id: string,
  carrier: string,
  next_queue: string,
  job_ids: readonly bigint[],
): Promise<void> {
  if (job_ids.length === 0) return
  await db`
    with moved as (
      update jobs set queue = ${next_queue}, attempts = 0, run_at = now(), leased = false
      where organisation_id = ${organisation_id} and id = any (${job_ids.map(String)}::bigint[])
        and queue <> ${next_queue}
      returning subject_id, subject_key
    )
    update deliveries set tried = coalesce(tried, '{}') || ${carrier}::text
    from moved
    where organisation_id = ${organisation_id} and message_id = subject_id and recipient = subject_key`
}
