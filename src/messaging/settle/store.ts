import type { NewEvent } from '../../callbacks/enqueue-store.ts'
import { byLayout, connectionsOf } from '../../db/layout.ts'
import type { Db, Tx } from '../../db/connect.ts'
import { idArray, sparse } from '../../db/array.ts'
import { LEASE_S } from '../../queue/leases.ts'
import type { Cost } from '../../carriers/costs.ts'
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
  /** The carrier that charges for it, where that is not stored yet: of a submission without a clear answer. */
  billed?: ({ carrier: string } & Cost) | undefined
}

export type Changed = Omit<Change, 'operator' | 'billed'> & {
  channel: Channel
  sender_id: string | null
  template_id: string | null
  external_ref: string | null
  callback: string | null
  /** The organisation has enabled webhooks. */
  has_webhooks: boolean
  route: string
  pages: number
  charge: bigint
  refunded: boolean
  /** The previous status and code. */
  was: string
  was_code: string | null
  updated_datetime: string
  carrier?: string | null
  /** What its carrier charges, and whether only for what is delivered. */
  cost?: bigint | null
  cost_if_delivered?: boolean | null
  /** Of the delivery, see `src/messaging/routing.ts`. */
  routing?: number | null
  /** When the carrier accepted it. */
  sent_datetime?: string | null
}

/**
 * Moves deliveries to the given states, where the transition is allowed, and returns those that moved. A final state
 * stays, except that a later `delivered` replaces `expired` and `unknown`. Rows are locked in one order, so that batches
 * cannot deadlock.
 */
export async function changeStates(tx: Tx, organisation_id: string, changes: readonly Change[]): Promise<Changed[]> {
  const billed = changes.map((change) => change.billed)
  return tx<Changed[]>`
    with given as (
      select distinct on (message_id, recipient) message_id, recipient, status, code, description, carrier, cost,
        if_delivered
      from unnest(
        ${changes.map(({ message_id }) => message_id)}::uuid[],
        ${changes.map(({ recipient }) => recipient)}::text[],
        ${changes.map(({ status }) => status)}::text[],
        ${changes.map(({ code }) => code)}::text[],
        ${changes.map(({ description }) => description)}::text[],
        ${sparse(billed.map((one) => one?.carrier ?? null))}::text[],
        ${sparse(billed.map((one) => one?.cost ?? null))}::bigint[],
        ${sparse(billed.map((one) => one?.if_delivered || null))}::boolean[]
      ) as given (message_id, recipient, status, code, description, carrier, cost, if_delivered)
      order by message_id, recipient, status = 'delivered' desc
    ),
    movable as (
      select given.message_id, given.recipient, given.status, given.code, given.description, given.carrier, given.cost,
        given.if_delivered, was, was_code
      from given
      cross join lateral (
        select deliveries.status as was, deliveries.code as was_code from deliveries
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
        carrier = coalesce(movable.carrier, deliveries.carrier), cost = coalesce(movable.cost, deliveries.cost),
        cost_if_delivered = coalesce(movable.if_delivered, deliveries.cost_if_delivered), updated_datetime = now()
      from movable
      where organisation_id = ${organisation_id}
        and deliveries.message_id = movable.message_id and deliveries.recipient = movable.recipient
      returning deliveries.message_id, deliveries.recipient, deliveries.status, deliveries.code,
        deliveries.description, deliveries.pages, deliveries.charge, deliveries.refunded, deliveries.route,
        deliveries.updated_datetime, deliveries.carrier, deliveries.cost, deliveries.cost_if_delivered,
        deliveries.routing, deliveries.sent_datetime, movable.was, movable.was_code
    )
    select moved.*, channel, sender_id, template_id, external_ref, callback,
      exists (select 1 from webhooks where organisation_id = ${organisation_id} and enabled) as has_webhooks
    from moved join messages on organisation_id = ${organisation_id} and id = message_id`
}

export type MessageKind = Pick<Changed, 'message_id' | 'channel' | 'sender_id' | 'template_id'>

/** The dimensions a message is counted by, and its callback. */
export async function readKind(
  tx: Tx,
  organisation_id: string,
  message_id: string,
): Promise<(MessageKind & Pick<Changed, 'callback'>) | undefined> {
  const [row] = await tx<(MessageKind & Pick<Changed, 'callback'>)[]>`
    select id as message_id, channel, sender_id, template_id, callback from messages
    where organisation_id = ${organisation_id} and id = ${message_id}`
  return row
}

/** A delivered delivery with its callback event, if it has one. */
type Delivered = {
  organisation_id: string
  change: Change & Pick<Changed, 'has_webhooks'>
  event: NewEvent | undefined
}

/** The deliveries were remembered, not read now. `may_name_people`: their references or callbacks may hold a number. */
export type FromMemory = { may_name_people: boolean }

/**
 * Marks deliveries `delivered` and stores their events in one statement (`functions/settle.sql`); on a cluster, those of one
 * organisation. Returns which of them moved, the batch of each callback that this process posts itself, and how many
 * callbacks are queued. With `memory` it may be `refused`. If they are of several organisations, those that another
 * transaction has locked do not move.
 */
export async function markDelivered(
  db: Db,
  updated_datetime: string,
  rows: readonly Delivered[],
  memory?: FromMemory,
): Promise<{ moved: Set<number>; burst_ids: Map<string, bigint>; waiting: number; refused: boolean }> {
  const first = rows[0]?.organisation_id ?? ''
  const there = connectionsOf(db, first)
  const [row] = await there<DeliveredRow[]>`
    select moved, waiting, burst_lanes, burst_ids::text[], refused
    from settle_delivered(
      ${byLayout(db, { single_server: null, cluster: first })},
      ${idArray(rows.map(({ organisation_id }) => organisation_id))}::uuid[], ${updated_datetime},
      ${idArray(rows.map(({ change }) => change.message_id))}::uuid[],
      ${rows.map(({ change }) => change.recipient)}::text[],
      ${sparse(rows.map(({ change }) => change.code))}::text[],
      ${sparse(rows.map(({ change }) => change.description))}::text[],
      ${sparse(rows.map(({ event }) => event?.id ?? null))}::uuid[],
      ${sparse(rows.map(({ event }) => event?.url ?? null))}::text[],
      ${sparse(rows.map(({ event }) => event?.lane ?? null))}::uuid[],
      ${sparse(rows.map(({ event }) => event?.body ?? null))}::text[],
      ${rows.some(({ event }) => event?.leased) ? rows.map(({ event }) => event?.leased ?? false) : []}::boolean[],
      ${LEASE_S}, ${rows.some(({ change }) => change.has_webhooks)}, ${memory !== undefined},
      ${memory?.may_name_people ?? false}
    )`
  const moved = new Set(row?.moved?.map((n) => n - 1))
  const burst_of = new Map(row?.burst_lanes?.map((lane, n) => [lane, BigInt(row.burst_ids?.[n] ?? '')]))
  const burst_ids = new Map<string, bigint>()
  for (const [n, { event }] of rows.entries()) {
    const burst_id = burst_of.get(event?.lane ?? '')
    if (event?.leased && burst_id !== undefined && moved.has(n)) burst_ids.set(event.id, burst_id)
  }
  return { moved, burst_ids, waiting: row?.waiting ?? 0, refused: row?.refused ?? false }
}

type DeliveredRow = {
  moved: number[] | null
  waiting: number
  burst_lanes: string[] | null
  burst_ids: string[] | null
  refused: boolean | null
}
