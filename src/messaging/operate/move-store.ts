import type { Db, Tx } from '../../db/connect.ts'
import { lockMessages, SCHEDULE_QUEUE } from '../schedule/store.ts'

/** The organisations with messages that wait for a route. */
export async function listOrganisationsOf(db: Db, route: string, queues: readonly string[]): Promise<string[]> {
  const rows = await db<{ organisation_id: string }[]>`
    select distinct organisation_id from intake where route = ${route}
    union
    select distinct organisation_id from jobs where queue = any (${queues}::text[])`
  return rows.map(({ organisation_id }) => organisation_id).sort()
}

/**
 * Moves up to `limit` rows of the intake to another route: those that no process has, and of which nothing was submitted.
 * Returns how many rows and recipients it moved.
 */
export async function moveRows(
  tx: Tx,
  organisation_id: string,
  { from, to }: { from: string; to: string },
  limit: number,
): Promise<{ rows: number; recipients: number }> {
  const [row] = await tx<{ rows: number; recipients: number }[]>`
    with found as (
      select id from intake
      where organisation_id = ${organisation_id} and route = ${from} and submitted = 0
        and (leased_until is null or leased_until <= now())
      order by id limit ${limit}
      for update skip locked
    ),
    moved as (
      update intake set route = ${to}, leased_until = null
      from found where organisation_id = ${organisation_id} and intake.id = found.id
      returning size
    )
    select count(*)::integer as rows, coalesce(sum(size), 0)::integer as recipients from moved`
  return row ?? { rows: 0, recipients: 0 }
}

/**
 * The same for deliveries that wait for another attempt. Those that a carrier may have are left: only that carrier's report
 * or retry says more.
 */
export async function moveRetries(
  tx: Tx,
  organisation_id: string,
  { queues, to, to_queue }: { queues: readonly string[]; to: string; to_queue: string },
  limit: number,
): Promise<number> {
  const [row] = await tx<{ moved: number }[]>`
    with found as (
      select job.id, job.subject_id, job.subject_key from jobs job
      join deliveries on deliveries.organisation_id = ${organisation_id}
        and deliveries.message_id = job.subject_id and deliveries.recipient = job.subject_key
        and deliveries.status = 'queued' and deliveries.carrier is null
      where job.organisation_id = ${organisation_id} and job.queue = any (${queues}::text[]) and not job.leased
      order by job.id limit ${limit}
      for update of job skip locked
    ),
    moved as (
      update jobs set queue = ${to_queue}, attempts = 0, run_at = now()
      from found where organisation_id = ${organisation_id} and jobs.id = found.id
    ),
    routed as (
      update deliveries set route = ${to}
      from found
      where organisation_id = ${organisation_id} and message_id = found.subject_id and recipient = found.subject_key
        and status = 'queued'
    )
    select count(*)::integer as moved from found`
  return row?.moved ?? 0
}

/** The job of a scheduled message, in the order in which they are due. */
export type ScheduledJob = { id: bigint; organisation_id: string; message_id: string; due: string }

/** Up to `limit` of them after one, of all organisations. */
export async function listScheduledJobs(
  db: Db,
  after: Pick<ScheduledJob, 'id' | 'due'> | undefined,
  limit: number,
): Promise<ScheduledJob[]> {
  return db<ScheduledJob[]>`
    select id, organisation_id, subject_id as message_id, run_at::text as due from jobs
    where queue = ${SCHEDULE_QUEUE}
      ${after === undefined ? db`` : db`and (run_at, id) > (${after.due}::timestamptz, ${String(after.id)}::bigint)`}
    order by run_at, id limit ${limit}`
}

/** Moves the scheduled deliveries of messages to another route, serialized with their release and their cancellation. */
export async function moveScheduled(
  tx: Tx,
  organisation_id: string,
  message_ids: readonly string[],
  { from, to }: { from: string; to: string },
): Promise<number> {
  await lockMessages(tx, organisation_id, message_ids)
  const { count } = await tx`
    update deliveries set route = ${to}
    where organisation_id = ${organisation_id} and message_id = any (${message_ids}::uuid[]) and status = 'scheduled'
      and route = ${from}`
  return count
}

/** The queues of a route's retries that have jobs. No configured name contains a colon or `>`. */
export async function listQueues(db: Db, route: string): Promise<string[]> {
  const rows = await db<{ queue: string }[]>`
    select distinct queue from jobs where queue = ${`route:${route}`} or starts_with(queue, ${`route:${route}>`})`
  return rows.map(({ queue }) => queue)
}

/**
 * Ends claims of this transaction. A claim of which nothing was taken does not count: every claim of an interrupted
 * delivery is an attempt.
 */
export async function releaseClaimed(
  tx: Tx,
  organisation_id: string,
  rows: readonly { id: string; is_taken: boolean }[],
): Promise<void> {
  await tx`
    update intake set leased_until = null, claims = claims - case when is_taken then 0 else 1 end
    from unnest(
      ${rows.map(({ id }) => id)}::uuid[],
      ${rows.map(({ is_taken }) => is_taken)}::boolean[]
    ) as given (row_id, is_taken)
    where organisation_id = ${organisation_id} and id = row_id`
}

/** What waits for a route and was not moved: recipients, by why. */
export async function countLeft(
  db: Db,
  route: string,
  queues: readonly string[],
): Promise<{ in_flight: number; possibly_sent: number }> {
  const [row] = await db<{ in_flight: number; possibly_sent: number }[]>`
    select
      (
        coalesce((select sum(size) from intake where route = ${route}), 0)
        + (select count(*) from jobs where queue = any (${queues}::text[]) and leased)
      )::integer as in_flight,
      (
        select count(*) from jobs
        join deliveries on deliveries.organisation_id = jobs.organisation_id and message_id = subject_id
          and recipient = subject_key
        where queue = any (${queues}::text[]) and not leased and carrier is not null
      )::integer as possibly_sent`
  return row ?? { in_flight: 0, possibly_sent: 0 }
}
