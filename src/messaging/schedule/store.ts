import type { Tx } from '../../db/connect.ts'
import { rows } from '../../db/rows.ts'

export const SCHEDULE_QUEUE = 'scheduled'
/** See `store_scheduled` in functions/accept.sql. */
const LANE = '00000000-0000-0000-0000-000000000000'
const PRIORITY = 1

/**
 * Locks messages. The first statement of every transaction that changes scheduled deliveries, so that their release and
 * their cancellation are serialized. False if there is no such message.
 */
export async function lockMessages(tx: Tx, organisation_id: string, ids: readonly string[]): Promise<boolean> {
  const found = await tx`
    select 1 from messages
    where organisation_id = ${organisation_id} and id = any (${ids}::uuid[])
    order by id for update`
  return found.length > 0
}

/**
 * Enqueues deliveries scheduled for these moments, as `queued`, in the queue of their route; bulk messages with a lower
 * priority. The moments are compared with each other and not with the clock, which may be set back.
 */
export async function queueDue(
  tx: Tx,
  organisation_id: string,
  due: readonly { message_id: string; send_at: string }[],
  { single, bulk, bulk_from }: { single: number; bulk: number; bulk_from: number },
): Promise<{ route: string }[]> {
  return tx<{ route: string }[]>`
    with due as (
      update deliveries set status = 'queued', updated_datetime = now()
      where organisation_id = ${organisation_id} and status = 'scheduled'
        and message_id = any (${due.map(({ message_id }) => message_id)}::uuid[])
        and (message_id, send_at) in (
          select message_id, send_at
          from ${rows(tx, due, 'due', { message_id: 'uuid', send_at: 'timestamptz' })}
        )
      returning message_id, recipient, position, route
    ),
    job as (
      insert into jobs (queue, priority, lane, organisation_id, subject_id, subject_key)
      select 'route:' || route,
        case when count(*) over (partition by message_id) < ${bulk_from}::integer
          then ${single}::smallint else ${bulk}::smallint end,
        ${organisation_id}, ${organisation_id}, message_id, recipient
      from due order by message_id, position
    )
    select distinct route from due`
}

export type Canceled = { recipient: string; charge: bigint; route: string; send_at: string }

/** Cancels deliveries that are still scheduled. */
export async function cancelScheduled(tx: Tx, organisation_id: string, message_id: string): Promise<Canceled[]> {
  return tx<Canceled[]>`
    update deliveries
    set status = 'canceled', refunded = charge > 0, updated_datetime = now()
    where organisation_id = ${organisation_id} and message_id = ${message_id} and status = 'scheduled'
    returning recipient, charge, route, send_at`
}

/** Deletes the jobs of a canceled message, found by their times: the queue has no index by message. */
export async function deleteJobs(
  tx: Tx,
  organisation_id: string,
  message_id: string,
  times: readonly string[],
): Promise<void> {
  await tx`
    delete from jobs
    where organisation_id = ${organisation_id} and queue = ${SCHEDULE_QUEUE} and priority = ${PRIORITY} 
      and lane = ${LANE} and run_at = any (${times}::timestamptz[]) and subject_id = ${message_id}`
}
