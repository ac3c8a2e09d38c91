import type { Db, Tx } from '../../db/connect.ts'
import { withTimeout } from '../../db/transaction.ts'
import type { TimeRange } from '../read/search-store.ts'
import { everyDelivery } from '../read/message-rows-store.ts'
import type { DeliveryStatus } from '../schema.ts'

/** The organisations that have a message with this id: one probe of the primary key each. */
export async function findOwners(db: Db, message_id: string): Promise<string[]> {
  const rows = await db<{ organisation_id: string }[]>`
    select organisation_id from messages
    where organisation_id in (select id from organisations) and id = ${message_id}
    union
    select organisation_id from intake
    where organisation_id in (select id from organisations) and last_id >= ${message_id} and first_id <= ${message_id}
      and strpos(messages, ${`{"id":"${message_id}"`}) > 0`
  return rows.map(({ organisation_id }) => organisation_id)
}

/** A delivery of a message that waits in the intake, or has a job for its next attempt. */
export type WaitingRow = {
  recipient: string
  /** The queue of its route and carrier. */
  queue: string
  /** Attempts so far; a process that has it counts, too. */
  attempts: number
  /** A process has it now. */
  is_leased: boolean
  /** Its organisation is on hold. */
  is_held: boolean
  /** When it is due, or was accepted. */
  due: string
  /** Of the job; null: it is in the intake. */
  job_id: bigint | null
}

export async function listWaiting(
  sql: Db | Tx,
  organisation_id: string,
  message_id: string,
  recipients: readonly string[],
): Promise<WaitingRow[]> {
  return sql<WaitingRow[]>`
    select subject_key as recipient, queue, attempts::integer, (leased and leased_until > now()) is true as is_leased,
      (leased_until = 'infinity') is true as is_held, run_at as due, id as job_id
    from jobs
    where organisation_id = ${organisation_id} and queue like 'route:%' and subject_id = ${message_id}
      and subject_key = any (${recipients}::text[])
    union all
    select delivery.recipient, 'route:' || intake.route, 0, delivery.n <= submitted or (leased_until > now()) is true,
      (leased_until = 'infinity') is true, intake.created_datetime, null
    from intake cross join lateral deliveries_in(messages) delivery
    where organisation_id = ${organisation_id} and first_id <= ${message_id} and last_id >= ${message_id}
      and delivery.message_id = ${message_id} and delivery.recipient = any (${recipients}::text[])
      and (
        select true from deliveries known
        where known.organisation_id = ${organisation_id} and known.message_id = ${message_id}
          and known.recipient = delivery.recipient
      ) is null`
}

/** What is stored about the attempts at a delivery. */
export type AttemptsRow = {
  recipient: string
  status: DeliveryStatus
  route: string
  /** The carrier that has it, or may have it. */
  carrier: string | null
  /** The carriers that rejected it before. */
  tried: string[] | null
  is_sealed: boolean
}

export async function readAttempts(
  sql: Db | Tx,
  organisation_id: string,
  message_id: string,
  recipients: readonly string[],
): Promise<AttemptsRow[]> {
  return sql<AttemptsRow[]>`
    select recipient, status, route, carrier, tried, sealed_text is not null as is_sealed from deliveries
    where organisation_id = ${organisation_id} and message_id = ${message_id} and recipient = any (${recipients}::text[])
    order by recipient`
}

/** The same, locked until the transaction ends. */
export async function lockQueued(tx: Tx, organisation_id: string, message_id: string): Promise<AttemptsRow[]> {
  return tx<AttemptsRow[]>`
    select recipient, status, route, carrier, tried, sealed_text is not null as is_sealed from deliveries
    where organisation_id = ${organisation_id} and message_id = ${message_id} and status = 'queued'
    order by recipient for update`
}

/** A segment as the carrier knows it. */
export type SubmissionRow = {
  recipient: string
  carrier: string
  carrier_message_id: string
  segment: number
  segments: number
  report_due: string
  status: string | null
  code: string | null
  description: string | null
}

/**
 * The ids under which carriers know the deliveries, until their reports have arrived. Most of them are in no index by
 * message: the time is limited.
 */
export async function listSubmissions(
  db: Db,
  organisation_id: string,
  message_id: string,
  timeout_ms: number,
): Promise<SubmissionRow[]> {
  return withTimeout(
    db,
    timeout_ms,
    (sql) => sql<SubmissionRow[]>`
      select recipient, carrier, carrier_message_id, segment::integer, segments::integer, report_due, status, code,
        description
      from submissions where organisation_id = ${organisation_id} and message_id = ${message_id}
      order by recipient, carrier, segment`,
  )
}

export async function hasSubmission(
  tx: Tx,
  organisation_id: string,
  message_id: string,
  recipient: string,
): Promise<boolean> {
  const [row] = await tx`
    select 1 from submissions
    where organisation_id = ${organisation_id} and message_id = ${message_id} and recipient = ${recipient} limit 1`
  return row !== undefined
}

/** Makes jobs that no process has due now, and returns the recipients. */
export async function hastenJobs(
  tx: Tx,
  organisation_id: string,
  job_ids: readonly bigint[],
): Promise<{ recipient: string; queue: string }[]> {
  return tx<{ recipient: string; queue: string }[]>`
    update jobs set run_at = now()
    where organisation_id = ${organisation_id} and id = any (${job_ids.map(String)}::bigint[]) and not leased
    returning subject_key as recipient, queue`
}

/** A delivery as the operator's list shows it. */
export type ListedDelivery = {
  message_id: string
  recipient: string
  status: DeliveryStatus
  route: string
  carrier: string | null
  code: string | null
  description: string | null
  created_datetime: string
  position: number
}

export type DeliveryFilter = {
  status?: DeliveryStatus | undefined
  route?: string | undefined
  carrier?: string | undefined
  recipient?: string | undefined
  /** Behind this one, in the order of the list. */
  after?: { message_id: string; position: number } | undefined
}

/** Deliveries of an organisation within a range of message ids, newest messages first. */
export async function listFiltered(
  db: Db,
  organisation_id: string,
  { from, before }: TimeRange,
  { status, route, carrier, recipient, after }: DeliveryFilter,
  { limit, timeout_ms }: { limit: number; timeout_ms: number },
): Promise<ListedDelivery[]> {
  return withTimeout(
    db,
    timeout_ms,
    (sql) => sql<ListedDelivery[]>`
      select message_id, recipient, status, route, carrier, code, description, created_datetime, position
      from ${everyDelivery(sql, organisation_id, { from, up_to: before, mention: recipient })} delivery
      where message_id < ${before}
        ${status === undefined ? sql`` : sql`and status = ${status}`}
        ${route === undefined ? sql`` : sql`and route = ${route}`}
        ${carrier === undefined ? sql`` : sql`and carrier = ${carrier}`}
        ${recipient === undefined ? sql`` : sql`and recipient = ${recipient}`}
        ${
          after === undefined
            ? sql``
            : sql`and (message_id, -position) < (${after.message_id}::uuid, -${after.position}::integer)`
        }
      order by message_id desc, position limit ${limit}`,
  )
}

/** Cancels deliveries of a message in rows of the intake that it shares with others, and of which nothing was submitted. */
export async function cancelInBatches(
  tx: Tx,
  organisation_id: string,
  message_id: string,
): Promise<{ recipient: string; charge: bigint; route: string }[]> {
  return tx<{ recipient: string; charge: bigint; route: string }[]>`
    select recipient, charge, route from cancel_in_batches(${organisation_id}, ${message_id})`
}
