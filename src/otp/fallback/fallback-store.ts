import { theOne } from '../../billing/store.ts'
import type { Channel } from '../../carriers/message-carrier.ts'
import { connectionsOf } from '../../db/layout.ts'
import type { Db, Tx } from '../../db/connect.ts'
import { prepare } from '../../db/sql.ts'
import { messageArguments, type Accepted, type AcceptGroup } from '../../messaging/accept/store.ts'

export type Fallback = {
  id: string
  recipient: string
  channel: Channel
  message_id: string
  minutes: number
  sealed_token: Buffer
  expires_in_s: number
}

/** The fallback of an OTP; `wanted` if the OTP is open and the first message has not been delivered. */
export async function findFallback(
  db: Db,
  organisation_id: string,
  otp_id: string,
): Promise<(Fallback & { wanted: boolean }) | undefined> {
  const [row] = await db<(Fallback & { wanted: boolean })[]>`
    select id, recipient, fallback_channel as channel, fallback_message_id as message_id, minutes, sealed_token,
      extract(epoch from expires_datetime - now())::float8 as expires_in_s,
      status = 1 and expires_datetime > now() and not exists (
        select 1 from deliveries
        where organisation_id = ${organisation_id} and message_id = ${otp_id} and deliveries.status = 'delivered'
      ) as wanted
    from otps
    where organisation_id = ${organisation_id} and id = ${otp_id} and sealed_token is not null`
  return row
}

/** Charges and stores fallback messages and deletes the sealed tokens. */
export async function acceptFallbacks(db: Db, group: AcceptGroup, fallbacks: readonly Fallback[]): Promise<Accepted> {
  const there = connectionsOf(db, group.organisation_id)
  const [accepted] = await prepare(there<Accepted[]>`
    select balance_left, line, moment, outcomes, balances_left, known_answers, charged, opted_out
    from accept_fallbacks(
      ${messageArguments(db, group, false)}, ${fallbacks.map(({ id }) => id)}::uuid[]
    )`)
  return theOne(accepted)
}

export async function dropSealedToken(tx: Tx, organisation_id: string, otp_id: string): Promise<void> {
  await tx`
    update otps set sealed_token = null
    where organisation_id = ${organisation_id} and id = ${otp_id} and sealed_token is not null`
}
