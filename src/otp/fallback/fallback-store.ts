import { theOne } from '../../billing/store.ts'
import type { Channel } from '../../carriers/message-carrier.ts'
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
  /** The first message, once it was submitted. */
  first_route: string | null
  first_carrier: string | null
}

/**
 * The second message of an OTP; `wanted` if the OTP is open and the first message has not been delivered. It `waits` while
 * the first one was not submitted: then there is no carrier yet that it could avoid.
 */
export async function findFallback(
  db: Db,
  organisation_id: string,
  otp_id: string,
): Promise<(Fallback & { wanted: boolean; waits: boolean }) | undefined> {
  const [row] = await db<(Fallback & { wanted: boolean; waits: boolean })[]>`
    select id, otps.recipient, fallback_channel as channel, fallback_message_id as message_id, minutes, sealed_token,
      extract(epoch from otps.expires_datetime - now())::float8 as expires_in_s, through_next_carrier,
      first.route as first_route, first.carrier as first_carrier,
      otps.status = 1 and otps.expires_datetime > now() and coalesce(first.status, '') <> 'delivered' as wanted,
      through_next_carrier and coalesce(first.status, 'queued') = 'queued' as waits
    from otps
    left join lateral (
      select status, route, carrier from deliveries
      where deliveries.organisation_id = ${organisation_id} and message_id = ${otp_id}
    ) first on true
    where organisation_id = ${organisation_id} and id = ${otp_id} and sealed_token is not null`
  return row
}

/** What the second message is stored with. */
export type SecondMessage = {
  otp_id: string
  token_hash: Buffer
  /** The queue of the carrier that it is submitted to; undefined: the carriers of its route, in their order. */
  queue: string | undefined
}

/** Charges and stores the second message of an OTP and deletes the sealed token. */
export async function acceptFallback(
  db: Db,
  group: AcceptGroup,
  draft: Draft,
  { otp_id, token_hash, queue }: SecondMessage,
): Promise<Accepted> {
  const there = connectionsOf(db, group.organisation_id)
  const unsent = queue === undefined ? null : JSON.stringify(draft.deliveries.map((one) => unsentOf(draft, one, queue)))
  const [accepted] = await prepare(there<Accepted[]>`
    select balance_left, line, moment, outcomes, balances_left, known_answers, charged, opted_out
    from accept_fallbacks(
      ${messageArguments(db, group, false)}, ${[otp_id]}::uuid[], ${[token_hash.toString('base64')]}::text[],
      ${unsent}::json
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

export async function dropSealedToken(tx: Tx, organisation_id: string, otp_id: string): Promise<void> {
  await tx`
    update otps set sealed_token = null
    where organisation_id = ${organisation_id} and id = ${otp_id} and sealed_token is not null`
}
