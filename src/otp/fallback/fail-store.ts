import type { Tx } from '../../db/connect.ts'
import { FALLBACK_QUEUE } from '../store.ts'

/**
 * Locks and returns the open OTPs of these messages. If two messages of one OTP fail concurrently, the second transaction
 * sees the first.
 */
export async function lockOtpsOf(tx: Tx, organisation_id: string, message_ids: readonly string[]): Promise<string[]> {
  const rows = await tx<{ id: string }[]>`
    select id from otps
    where organisation_id = ${organisation_id} and status = 1
      and id in (
        select id from otps
        where organisation_id = ${organisation_id} and id = any (${message_ids}::uuid[])
        union all
        select id from otps
        where organisation_id = ${organisation_id} and fallback_message_id = any (${message_ids}::uuid[])
        union all
        select id from otps
        where organisation_id = ${organisation_id} and resent_message_ids && ${message_ids}::uuid[]
          and resent_message_ids <> '{}'
      )
    order by id for update`
  return rows.map(({ id }) => id)
}

/** Runs the pending fallbacks of these OTPs now, because a message of theirs failed. */
export async function bringForward(tx: Tx, organisation_id: string, otp_ids: readonly string[]): Promise<void> {
  await tx`
    update jobs set run_at = now()
    where organisation_id = ${organisation_id} and queue = ${FALLBACK_QUEUE} and lane = ${organisation_id}
      and run_at > now() and not leased
      and subject_id = any (${otp_ids}::uuid[])`
}

export type FailedOtp = { id: string; recipient: string }

/**
 * Marks OTPs as FAILED whose messages have all failed, and returns them. Messages that are still in the intake have no
 * deliveries yet and may arrive; only the first and the last one can be there.
 */
export async function failUndeliverable(
  tx: Tx,
  organisation_id: string,
  otp_ids: readonly string[],
): Promise<FailedOtp[]> {
  return tx<FailedOtp[]>`
    update otps set status = 3, updated_datetime = now()
    where organisation_id = ${organisation_id} and id = any (${otp_ids}::uuid[])
      and status = 1 and expires_datetime > now() and sealed_token is null
      and not exists (
        select 1 from deliveries
        where deliveries.organisation_id = ${organisation_id}
          and message_id in (otps.id, otps.fallback_message_id)
          and deliveries.status not in ('failed', 'rejected', 'undelivered')
      )
      and (resent_message_ids = '{}' or not exists (
        select 1 from deliveries
        where deliveries.organisation_id = ${organisation_id} and message_id = any (otps.resent_message_ids)
          and deliveries.status not in ('failed', 'rejected', 'undelivered')
      ))
      and not exists (select 1 from waiting_deliveries(${organisation_id}, otps.id, otps.id))
      and not exists (
        select 1 from waiting_deliveries(${organisation_id}, otps.fallback_message_id, otps.fallback_message_id)
      )
    returning id, recipient`
}
