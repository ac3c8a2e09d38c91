import type { Tx } from '../../db/connect.ts'
import { rows } from '../../db/rows.ts'
import type { Statement } from '../../db/transaction.ts'
import type { Draft } from '../draft.ts'
import { rowsOf } from '../accept/store.ts'

export const SCHEDULE_QUEUE = 'scheduled'
/** All that waits is one lane, in order of time: looking for what is due never passes by what is not. */
const LANE = '00000000-0000-0000-0000-000000000000'
const PRIORITY = 1

/**
 * Stores the deliveries that wait for their time, beside `storeMessages` and under its conditions. They have no entry
 * in the queue of their route: one job per message and moment puts them there, in a queue of its own, so that a million
 * messages for next week stand in nobody's way.
 */
export function storeScheduled(tx: Tx, organisation_id: string, drafts: readonly Draft[]): Statement[] {
  const waiting = rowsOf(drafts).filter(({ delivery }) => delivery.send_at !== undefined)
  const statement = tx`
    with given as (
      select message_id, recipient, position, charge, pages, route, send_at, text, whatsapp
      from ${rows(tx, waiting, 'given', {
        message_id: ['uuid', ({ draft }) => draft.id],
        recipient: ['text', ({ delivery }) => delivery.recipient],
        position: ['integer', ({ n }) => n],
        charge: ['bigint', ({ delivery }) => delivery.charge],
        pages: ['smallint', ({ delivery }) => delivery.pages],
        route: ['text', ({ delivery }) => delivery.route],
        send_at: ['timestamptz', ({ delivery }) => delivery.send_at],
        text: ['text', ({ delivery }) => delivery.text],
        whatsapp: ['jsonb', ({ delivery }) => delivery.whatsapp],
      })}
      where (select true from messages where organisation_id = ${organisation_id} and id = given.message_id)
    ),
    delivery as (
      insert into deliveries
        (organisation_id, message_id, recipient, position, status, pages, charge, route, send_at, text, whatsapp)
      select ${organisation_id}, message_id, recipient, position, 'scheduled', pages, charge, route, send_at, text,
        whatsapp
      from given
    )
    insert into jobs (queue, priority, lane, organisation_id, subject_id, subject_key, run_at)
    select ${SCHEDULE_QUEUE}, ${PRIORITY}, ${LANE}, ${organisation_id}, message_id, send_at::text, send_at
    from given group by message_id, send_at`
  return [statement]
}

/**
 * The first statement of whoever moves scheduled deliveries of a message: so the moment it becomes due and the request
 * that takes it back come one after the other. False when there is no such message.
 */
export async function lockMessages(tx: Tx, organisation_id: string, ids: readonly string[]): Promise<boolean> {
  const found = await tx`
    select 1 from messages
    where organisation_id = ${organisation_id} and id = any (${ids}::uuid[])
    order by id for update`
  return found.length > 0
}

/**
 * What was to go at those moments becomes `queued` and joins the queue of its route; a campaign lets single messages
 * pass, as ever. The moments are compared with each other and not with the clock, which may be set back.
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

export type Canceled = { recipient: string; charge: bigint; send_at: string }

/** Takes back what has not become due. */
export async function cancelScheduled(tx: Tx, organisation_id: string, message_id: string): Promise<Canceled[]> {
  return tx<Canceled[]>`
    update deliveries
    set status = 'canceled', refunded = charge > 0, updated_datetime = now()
    where organisation_id = ${organisation_id} and message_id = ${message_id} and status = 'scheduled'
    returning recipient, charge, send_at`
}

/** The jobs of a message that was taken back; found by their times, since the queue has no index by message. */
export async function dropJobs(tx: Tx, message_id: string, times: readonly string[]): Promise<void> {
  await tx`
    delete from jobs
    where queue = ${SCHEDULE_QUEUE} and priority = ${PRIORITY} and lane = ${LANE}
      and run_at = any (${times}::timestamptz[]) and subject_id = ${message_id}`
}
