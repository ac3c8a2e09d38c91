import { storeEvents, type NewEvent } from '../../callbacks/enqueue-store.ts'
import type { Db, Tx } from '../../db/connect.ts'
import { idArray } from '../../db/array.ts'
import { prepare } from '../../db/sql.ts'
import type { Channel } from '../../carriers/message-carrier.ts'
import type { DeliveryStatus } from '../schema.ts'

export type Change = {
  message_id: string
  recipient: string
  status: Extract<DeliveryStatus, 'delivered' | 'undelivered' | 'expired' | 'rejected' | 'failed' | 'unknown'>
  code: string | null
  description: string | null
  /** The number's operator, where the carrier names it. */
  operator?: string | null
}

export type Changed = Omit<Change, 'operator'> & {
  channel: Channel
  sender_id: string | null
  external_ref: string | null
  callback: string | null
  /** The organisation has endpoints registered, which may want to hear of it. */
  has_webhooks: boolean
  route: string
  pages: number
  charge: bigint
  refunded: boolean
  updated_datetime: string
}

/**
 * Moves deliveries to the states carriers gave them, where the move is allowed, and returns those that moved. A final
 * state stays, except that a later `delivered` corrects `expired` and `unknown`; `unknown` itself is only for what
 * nothing is known about. Rows are locked in one order, so that two batches cannot wait for each other.
 */
export async function changeStates(tx: Tx, organisation_id: string, changes: readonly Change[]): Promise<Changed[]> {
  return tx<Changed[]>`
    with given as (
      select distinct on (message_id, recipient) message_id, recipient, status, code, description
      from unnest(
        ${changes.map(({ message_id }) => message_id)}::uuid[],
        ${changes.map(({ recipient }) => recipient)}::text[],
        ${changes.map(({ status }) => status)}::text[],
        ${changes.map(({ code }) => code)}::text[],
        ${changes.map(({ description }) => description)}::text[]
      ) as given (message_id, recipient, status, code, description)
      order by message_id, recipient, status = 'delivered' desc
    ),
    movable as (
      select given.message_id, given.recipient, given.status, given.code, given.description
      from given
      cross join lateral (
        select 1 from deliveries
        where organisation_id = ${organisation_id}
          and message_id = given.message_id and recipient = given.recipient
          and (
            deliveries.status in ('queued', 'sent')
            or (given.status = 'delivered' and deliveries.status in ('expired', 'unknown'))
          )
        for update
      ) locked
    ),
    moved as (
      update deliveries
      set status = movable.status, code = movable.code, description = movable.description,
        refunded = movable.status in ('failed', 'rejected') and deliveries.charge > 0, sealed_text = null,
        updated_datetime = now()
      from movable
      where organisation_id = ${organisation_id}
        and deliveries.message_id = movable.message_id and deliveries.recipient = movable.recipient
      returning deliveries.message_id, deliveries.recipient, deliveries.status, deliveries.code,
        deliveries.description, deliveries.pages, deliveries.charge, deliveries.refunded, deliveries.route,
        deliveries.updated_datetime
    )
    select moved.*, channel, sender_id, external_ref, callback,
      exists (select 1 from webhooks where organisation_id = ${organisation_id} and enabled) as has_webhooks
    from moved join messages on organisation_id = ${organisation_id} and id = message_id`
}

/** A delivery that has arrived, and what is told about it, if anybody wants to hear. */
export type Arrival = { change: Change; event: NewEvent | undefined }

/**
 * `delivered`, for many of one organisation in one statement: it gives no money back and ends nobody's OTP, so all
 * there is to do is the state and the callback. Returns which of them moved, and the jobs of callbacks in hand.
 * The rows must come without repetition and in the order they are locked in everywhere.
 */
export async function markDelivered(
  db: Db,
  queue: string,
  organisation_id: string,
  updated_datetime: string,
  rows: readonly Arrival[],
): Promise<{ moved: Set<number>; job_ids: Map<string, bigint>; jobs: number }> {
  const [row] = await prepare(db<{ moved: string; jobs: number; job_ids: string; callback_ids: string }[]>`
    with event as (
      update deliveries
      set status = 'delivered', code = given.code, description = given.description, sealed_text = null,
        updated_datetime = ${updated_datetime}::timestamptz
      from unnest(
        ${idArray(rows.map(({ change }) => change.message_id))}::uuid[],
        ${rows.map(({ change }) => change.recipient)}::text[],
        ${rows.map(({ change }) => change.code)}::text[],
        ${rows.map(({ change }) => change.description)}::text[],
        ${rows.map(({ event }) => event?.id ?? null)}::uuid[],
        ${rows.map(({ event }) => event?.url ?? null)}::text[],
        ${rows.map(({ event }) => event?.lane ?? null)}::uuid[],
        ${rows.map(({ event }) => event?.body ?? null)}::text[],
        ${rows.map(({ event }) => event?.in_hand ?? false)}::boolean[]
      ) with ordinality as given (message_id, recipient, code, description, event_id, url, lane, body, in_hand, n)
      where organisation_id = ${organisation_id}
        and deliveries.message_id = given.message_id and deliveries.recipient = given.recipient
        and deliveries.status in ('queued', 'sent', 'expired', 'unknown')
      returning given.event_id as id, 'text.delivered'::text as type, url, lane, deliveries.message_id as subject_id,
        body, in_hand, n
    ),
    ${storeEvents(db, queue, organisation_id)}
    select coalesce((select string_agg(n::text, ' ') from event), '') as moved, count(*)::integer as jobs,
      coalesce(string_agg(id::text, ' ') filter (where in_hand), '') as job_ids,
      coalesce(string_agg(subject_id::text, ' ') filter (where in_hand), '') as callback_ids
    from job`)
  const { moved, jobs, job_ids, callback_ids } = row ?? { moved: '', jobs: 0, job_ids: '', callback_ids: '' }
  const callbacks = words(callback_ids)
  return {
    moved: new Set(words(moved).map((n) => Number(n) - 1)),
    jobs,
    job_ids: new Map(words(job_ids).map((id, n) => [callbacks[n] ?? '', BigInt(id)])),
  }
}

function words(text: string): string[] {
  return text === '' ? [] : text.split(' ')
}
