import { theOne } from '../../billing/store.ts'
import type { Channel } from '../../carriers/message-carrier.ts'
import { idArray } from '../../db/array.ts'
import { connectionsOf } from '../../db/layout.ts'
import type { Db, Tx } from '../../db/connect.ts'
import { prepare } from '../../db/sql.ts'
import { messageArguments, type Accepted, type AcceptGroup } from '../../messaging/accept/store.ts'
import type { Draft, DraftDelivery } from '../../messaging/draft.ts'
import { routingOf } from '../../messaging/routing.ts'

export type Fallback = {
  id: string
  recipient: string
  channel: Channel
  message_id: string
  minutes: number
  sealed_token: Buffer
  expires_in_s: number
  through_next_carrier: boolean
  /** Seconds from the submission of the previous message. Null: the time was fixed with the request. */
  resend_after_s: number | null
  /** Messages that may follow this one. */
  resends_left: number
  is_open: boolean
  /** The messages before this one, with the hashes of their tokens. */
  former_ids: string[]
  former_hashes: Buffer[]
}

/** The next message of an OTP; undefined: it has been sent, or is not needed any more. */
export async function findFallback(
  sql: Db | Tx,
  organisation_id: string,
  otp_id: string,
): Promise<Fallback | undefined> {
  const [row] = await sql<Fallback[]>`
    select id, recipient, fallback_channel as channel, fallback_message_id as message_id, minutes, sealed_token,
      extract(epoch from expires_datetime - now())::float8 as expires_in_s, through_next_carrier, resend_after_s,
      resends_left, status = 1 and expires_datetime > now() as is_open,
      array_prepend(id, resent_message_ids) as former_ids, array_prepend(token_hash, resent_token_hashes) as former_hashes
    from otps
    where organisation_id = ${organisation_id} and id = ${otp_id} and sealed_token is not null`
  return row
}

/** A message that was sent, as far as it is recorded. */
export type Former = {
  message_id: string
  status: string
  route: string
  carrier: string | null
  /** Carriers that have rejected it. */
  rejected_by: string[]
  /** Since a carrier has accepted it; if none has, since it ended. */
  age_s: number
}

export async function listFormer(
  sql: Db | Tx,
  organisation_id: string,
  message_ids: readonly string[],
): Promise<Former[]> {
  return sql<Former[]>`
    select message_id, status, route, carrier, coalesce(tried, '{}') as rejected_by,
      extract(epoch from now() - coalesce(sent_datetime, updated_datetime, created_datetime))::float8 as age_s
    from deliveries
    where organisation_id = ${organisation_id} and message_id = any (${idArray(message_ids)}::uuid[])`
}

/** Locks an OTP against verifications, and against reports that fail its messages. */
export async function lockOtp(tx: Tx, organisation_id: string, otp_id: string): Promise<void> {
  await tx`select from otps where organisation_id = ${organisation_id} and id = ${otp_id} for update`
}

/** What another message is stored with. */
export type SecondMessage = {
  otp_id: string
  token_hash: Buffer
  /** The message that may follow, with its token. */
  next: { message_id: string; sealed_token: Buffer } | undefined
  /** The queue of the carrier that it is submitted to; undefined: the carriers of its route, in their order. */
  queue: string | undefined
}

/** Charges and stores another message of an OTP, and replaces the sealed token by that of the next one, if there is one. */
export async function acceptFallback(
  db: Db,
  group: AcceptGroup,
  draft: Draft,
  { otp_id, token_hash, next, queue }: SecondMessage,
): Promise<Accepted> {
  const there = connectionsOf(db, group.organisation_id)
  const unsent = queue === undefined ? null : JSON.stringify(draft.deliveries.map((one) => unsentOf(draft, one, queue)))
  const [accepted] = await prepare(there<Accepted[]>`
    select balance_left, line, moment, outcomes, balances_left, known_answers, charged, opted_out
    from accept_fallbacks(
      ${messageArguments(db, group, false)}, ${[otp_id]}::uuid[], ${[token_hash.toString('base64')]}::text[],
      ${unsent}::json, ${next?.message_id ?? null}::uuid, ${next?.sealed_token.toString('base64') ?? null}::text
    )`)
  return theOne(accepted)
}

/** An item of `store_unsent` (functions/record.sql). */
function unsentOf(
  { id: message_id, expires_in_s, priority }: Draft,
  { recipient, pages, charge, price_rule_id, route, sealed_text }: DraftDelivery,
  queue: string,
): object {
  const delivery = { message_id, recipient, position: 0, pages, charge: Number(charge), price_rule_id, route }
  const sealed = sealed_text?.toString('base64')
  const routing = routingOf({ sealed_text: sealed_text ?? null })
  return { row_number: 1, ...delivery, sealed, expires_in_s, routing, queue, priority, delay_ms: 0, attempts: 0 }
}

/** The message with this id will not be sent, nor another one after it. */
export async function dropSealedToken(
  tx: Tx,
  organisation_id: string,
  { id, message_id }: Pick<Fallback, 'id' | 'message_id'>,
): Promise<void> {
  await tx`
    update otps set sealed_token = null
    where organisation_id = ${organisation_id} and id = ${id} and fallback_message_id = ${message_id}
      and sealed_token is not null`
}
