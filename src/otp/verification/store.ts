import type { Channel } from '../../carriers/message-carrier.ts'
import type { Db } from '../../db/connect.ts'
import { statusNow, type OtpRow } from '../store.ts'

/** A code of a verification; `verification_id` is its own id if it belongs to none. */
export type CodeRow = OtpRow & { verification_id: string; service_sid: string | null; channel: Channel | null }

/** The codes of the verification that an OTP belongs to; the one that determines its status comes first. */
export async function findCodes(db: Db, organisation_id: string, otp_id: string): Promise<CodeRow[]> {
  return db<CodeRow[]>`
    with named as (
      select coalesce(verification_id, id) as first from otps
      where organisation_id = ${organisation_id} and id = ${otp_id}
    ),
    member as (
      select first as id from named
      union
      select otps.id from named join otps on organisation_id = ${organisation_id} and verification_id = first
    )
    select id, recipient, ${statusNow(db)}, created_datetime, coalesce(verification_id, id) as verification_id,
      service_sid, channel
    from otps
    where organisation_id = ${organisation_id} and id in (select id from member)
    order by verification_rank(status, expires_datetime), id desc`
}

/** The newest open OTP of a number, for this service or for none. */
export async function findOpen(
  db: Db,
  organisation_id: string,
  recipient: string,
  service_sid: string,
): Promise<string | undefined> {
  const [row] = await db<{ id: string }[]>`
    select id from otps
    where organisation_id = ${organisation_id} and recipient = ${recipient}
      and (service_sid = ${service_sid} or service_sid is null) and status = 1 and expires_datetime > now()
    order by id desc limit 1`
  return row?.id
}

/** Whether the OTP of this message expired or failed. One that was revoked says nothing about its messages. */
export async function endedUnverified(db: Db, organisation_id: string, message_id: string): Promise<boolean> {
  const rows = await db`
    select from (
      select status, expires_datetime from otps
      where organisation_id = ${organisation_id} and id = ${message_id}
      union all
      select status, expires_datetime from otps
      where organisation_id = ${organisation_id} and fallback_message_id = ${message_id}
      union all
      select status, expires_datetime from otps
      where organisation_id = ${organisation_id} and resent_message_ids && array[${message_id}::uuid]
        and resent_message_ids <> '{}'
    ) otp
    where status = 3 or (status = 1 and expires_datetime <= now())`
  return rows.length > 0
}
