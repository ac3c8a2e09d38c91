import type { Db, Tx } from '../../db/connect.ts'
import { rows } from '../../db/rows.ts'
import type { Query } from '../../db/sql.ts'
import type { Sim } from './capacity.ts'
import type { GivenState } from './read-requests.ts'

/** An offer expires soon after the process that made it has crashed: well before its lease on the message does. */
const OFFER_S = 5
/** A message is lost if its phone is silent this long after it should have been sent. */
const LOST_AFTER_S = 60
const MAX_PULLED = 100

export type Delivery = { organisation_id: string; message_id: string; recipient: string }
export type NewMessage = Delivery &
  Sim & { id: string; sealed_text: Buffer; segments: number; urgent: boolean; valid_for_s: number }

/** Withdraws offers of these deliveries that no phone has fetched; returns the ids of those that a phone has. */
export async function withdrawOrFind(
  tx: Tx,
  carrier: string,
  deliveries: readonly Delivery[],
): Promise<(Delivery & { id: string })[]> {
  const columns = { organisation_id: 'uuid', message_id: 'uuid', recipient: 'text' } as const
  await tx`
    update phone_messages set state = 'withdrawn', sealed_text = null
    where id in (
      select id from phone_messages
      join ${rows(tx, deliveries, 'given', columns)} using (organisation_id, message_id, recipient)
      where carrier = ${carrier} and state = 'offered'
      order by id for update of phone_messages
    ) and state = 'offered'`
  return tx<(Delivery & { id: string })[]>`
    select id, organisation_id, message_id, recipient from phone_messages
    join ${rows(tx, deliveries, 'given', columns)} using (organisation_id, message_id, recipient)
    where carrier = ${carrier} and state in ('taken', 'sent', 'done', 'lost')`
}

export async function insertMessages(tx: Tx, carrier: string, messages: readonly NewMessage[]): Promise<void> {
  await tx`
    insert into phone_messages (id, carrier, organisation_id, message_id, recipient, phone_id, sim, sealed_text,
      segments, urgent, offered_until, valid_until)
    select id, ${carrier}, organisation_id, message_id, recipient, phone_id, sim, sealed_text, segments, urgent,
      now() + ${OFFER_S} * interval '1 s', now() + valid_for_s * interval '1 s'
    from ${rows(tx, messages, 'given', {
      id: 'uuid',
      organisation_id: 'uuid',
      message_id: 'uuid',
      recipient: 'text',
      phone_id: 'uuid',
      sim: 'smallint',
      sealed_text: 'bytea',
      segments: 'smallint',
      urgent: 'boolean',
      valid_for_s: 'float8',
    })}`
}

export type StoredMessage = {
  id: string
  phone_id: string
  state: 'offered' | 'withdrawn' | 'taken' | 'sent' | 'done' | 'failed' | 'lost' | 'abandoned'
  phone_state: string | null
  error: string | null
  was_sent: boolean
  offered_s: number
  taken_s: number
}

/** Extends offers that a phone may still fetch, and returns the state of all messages. */
export async function extendOffers(db: Db, ids: readonly string[], take_within_s: number): Promise<StoredMessage[]> {
  await db`
    update phone_messages set offered_until = now() + ${OFFER_S} * interval '1 s'
    where id in (
      select id from phone_messages
      where id = any(${ids}::uuid[]) and state = 'offered'
        and placed_datetime > now() - ${take_within_s} * interval '1 s'
      order by id for update
    ) and state = 'offered'`
  return db<StoredMessage[]>`
    select id, phone_id, state, phone_state, error, was_sent,
      extract(epoch from now() - placed_datetime)::float8 as offered_s,
      coalesce(extract(epoch from now() - taken_datetime), 0)::float8 as taken_s
    from phone_messages where id = any(${ids}::uuid[])`
}

/** Withdraws offers; returns those that no phone had fetched. */
export async function withdrawMessages(db: Db, ids: readonly string[]): Promise<{ id: string; phone_id: string }[]> {
  return db<{ id: string; phone_id: string }[]>`
    update phone_messages set state = 'withdrawn', sealed_text = null
    where id in (
      select id from phone_messages where id = any(${ids}::uuid[]) and state = 'offered' order by id for update
    ) and state = 'offered'
    returning id, phone_id`
}

/** Marks messages as answered: later states are reports. Returns their ids, without those that have failed by now. */
export async function answerMessages(db: Db, ids: readonly string[]): Promise<string[]> {
  const answered = await db<{ id: string }[]>`
    update phone_messages set answered = true
    where id in (
      select id from phone_messages
      where id = any(${ids}::uuid[]) and state in ('taken', 'sent', 'done', 'lost') order by id for update
    )
    returning id`
  return answered.map(({ id }) => id)
}

/** Gives up one-time passwords whose phone is silent: they may be sent again. */
export async function abandonMessages(db: Db, ids: readonly string[]): Promise<string[]> {
  const abandoned = await db<{ id: string }[]>`
    update phone_messages set state = 'abandoned', sealed_text = null
    where id in (
      select id from phone_messages
      where id = any(${ids}::uuid[]) and state in ('taken', 'lost') order by id for update
    )
    returning id`
  return abandoned.map(({ id }) => id)
}

export type PulledMessage = {
  id: string
  recipient: string
  sim: number
  sealed_text: Buffer | null
  urgent: boolean
  placed_ms: number
  valid_ms: number
}

/**
 * Fetches the messages offered to a phone, and those it fetched before without sending a state: our answer may have been
 * lost, and the app recognises by the id what it has.
 */
export async function takeMessages(db: Db, phone_id: string): Promise<PulledMessage[]> {
  return db<PulledMessage[]>`
    update phone_messages set state = 'taken', taken_datetime = coalesce(taken_datetime, now())
    where id in (
      select id from phone_messages
      where phone_id = ${phone_id} and placed_datetime > now() - interval '1 day'
        and ((state = 'offered' and offered_until > now()) or (state = 'taken' and valid_until > now()))
      order by id limit ${MAX_PULLED} for update
    ) and (state = 'taken' or offered_until > now())
    returning id, recipient, sim, sealed_text, urgent,
      floor(extract(epoch from placed_datetime) * 1000)::float8 as placed_ms,
      floor(extract(epoch from valid_until) * 1000)::float8 as valid_ms`
}

export type RecordedMessage = Delivery & {
  id: string
  sim: number
  state_before: StoredMessage['state']
  state: StoredMessage['state']
  answered: boolean
  phone_state: string
  error: string | null
  was_sent: boolean
}

/**
 * Stores states of messages that a phone has fetched. They may come twice, late, or after the message was given up. A
 * failure is final unless the message turns out to be delivered; if it was assigned again by then, only `phone_state`
 * changes. Withdrawn messages are ignored.
 */
export async function storeStates(db: Db, phone_id: string, given: readonly GivenState[]): Promise<RecordedMessage[]> {
  return db<RecordedMessage[]>`
    with given as (
      select id, phone_state, error, has_sent
      from ${rows(db, given, 'given', { id: 'uuid', phone_state: 'text', error: 'text', has_sent: 'boolean' })}
      order by id
    ),
    held as (
      select phone_messages.id, state as state_before, given.phone_state, given.error, given.has_sent
      from given join phone_messages using (id)
      where phone_messages.phone_id = ${phone_id} and state not in ('offered', 'withdrawn')
        and given.phone_state <> 'Pending'
      order by phone_messages.id for update of phone_messages
    )
    update phone_messages set
      phone_state = case when state in ('done', 'failed') and held.phone_state <> 'Delivered'
        then phone_messages.phone_state else held.phone_state end,
      error = coalesce(phone_messages.error, held.error),
      was_sent = was_sent or held.has_sent or held.phone_state in ('Sent', 'Delivered'),
      sealed_text = null,
      state = case
        when state = 'abandoned' then state
        when held.phone_state = 'Delivered' and not (state = 'failed' and ${isAssignedAgain(db)}) then 'done'
        when state in ('done', 'failed') then state
        when held.phone_state in ('Failed', 'Cancelled') then 'failed'
        else 'sent'
      end
    from held where phone_messages.id = held.id
    returning phone_messages.id, organisation_id, message_id, recipient, sim, state_before, state, answered,
      phone_messages.phone_state, phone_messages.error, was_sent`
}

/** Whether a failed message was assigned again: only one of the two counts, even if both were delivered. */
function isAssignedAgain(db: Db): Query {
  return db`(
          exists (
            select from phone_messages other
            where other.carrier = phone_messages.carrier and other.organisation_id = phone_messages.organisation_id
              and other.message_id = phone_messages.message_id and other.recipient = phone_messages.recipient
              and other.id <> phone_messages.id and other.state in ('offered', 'taken', 'sent', 'done', 'lost')
          )
          or exists (
            select from held given join phone_messages other using (id)
            where other.carrier = phone_messages.carrier and other.organisation_id = phone_messages.organisation_id
              and other.message_id = phone_messages.message_id and other.recipient = phone_messages.recipient
              and other.id < phone_messages.id and other.state = 'failed' and given.phone_state = 'Delivered'
          )
        )`
}

/** Messages whose phone has been silent beyond their validity. */
export async function findLost(db: Db, carrier: string): Promise<{ id: string; answered: boolean }[]> {
  return db<{ id: string; answered: boolean }[]>`
    select id, answered from phone_messages
    where state = 'taken' and carrier = ${carrier} and valid_until < now() - ${LOST_AFTER_S} * interval '1 s'
    limit 500`
}

export async function markLost(db: Db, ids: readonly string[]): Promise<void> {
  await db`
    update phone_messages set state = 'lost', sealed_text = null
    where id in (
      select id from phone_messages where id = any(${ids}::uuid[]) and state = 'taken' order by id for update
    ) and state = 'taken'`
}
