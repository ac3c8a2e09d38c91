import type { Channel } from '../carriers/message-carrier.ts'
import type { Db } from '../db/connect.ts'
import { listPage, type Listed } from '../db/list-page.ts'
import type { Page } from '../values/page.ts'
import { STATUS } from './schema.ts'

/** An OTP to be stored. */
export type NewOtp = {
  id: string
  recipient: string
  token_hash: Buffer
  minutes: number
  /** The slot in which the limits counted it. */
  counted_slot: string | null
  fallback:
    | {
        channel: Channel
        message_id: string
        after_s: number
        sealed_token: Buffer
        /** On the same channel, through the next carrier of the route. */
        through_next_carrier: boolean
        /** Messages that may follow it, each through another carrier. */
        resends_left: number
      }
    | undefined
  /** The Twilio Verify service it is sent for: it joins the open verification of the number. */
  service_sid: string | undefined
  channel: Channel
  fees: OtpFees
}

/** What is charged for an OTP beside its message; undefined: nothing. */
export type OtpFees = { request_fee?: bigint | undefined; verified_fee?: bigint | undefined }

export type OtpRow = {
  id: string
  recipient: string
  status: number
  created_datetime: string
  updated_datetime: string | null
}

export const FALLBACK_QUEUE = 'otp-fallback'
export const REFUND_QUEUE = 'otp-refund'

/** One-time passwords for `store_otps` (functions/otp.sql). */
export function writeOtps(otps: readonly NewOtp[]): string {
  return JSON.stringify(otps.map(written))
}

function written(otp: NewOtp): object {
  const { id, recipient, token_hash, minutes, counted_slot, fallback, service_sid, channel, fees } = otp
  return {
    id,
    recipient,
    token_hash: token_hash.toString('base64'),
    minutes,
    counted_slot: counted_slot ?? undefined,
    fallback_channel: fallback?.channel,
    fallback_message_id: fallback?.message_id,
    sealed_token: fallback?.sealed_token.toString('base64'),
    through_next_carrier: fallback?.through_next_carrier || undefined,
    after_s: fallback?.after_s,
    resends_left: fallback?.resends_left || undefined,
    service_sid,
    channel: service_sid === undefined ? undefined : channel,
    request_fee: fees.request_fee && Number(fees.request_fee),
    verified_fee: fees.verified_fee && Number(fees.verified_fee),
  }
}

/** Stores the OTP of a test number: without a message and without a charge. */
export async function insertOtp(db: Db, organisation_id: string, otp: NewOtp): Promise<OtpRow> {
  const [row] = await db<OtpRow[]>`
    insert into otps (organisation_id, id, recipient, token_hash, minutes, expires_datetime, verification_id,
      service_sid, channel)
    select ${organisation_id}, ${otp.id}, ${otp.recipient}, ${otp.token_hash}, ${otp.minutes},
      now() + ${otp.minutes} * interval '1 minute',
      case when service is not null then coalesce(open_verification(${organisation_id}, ${otp.recipient}, service),
        ${otp.id}) end,
      service, case when service is not null then ${otp.channel}::text end
    from (select ${otp.service_sid ?? null}::text as service) given
    returning id, recipient, status, created_datetime, updated_datetime`
  if (!row) throw new Error('an OTP was not stored')
  return row
}

/** Revokes an OTP that belongs to no verification; false if it was no longer open. */
export async function deleteOpenOtp(db: Db, organisation_id: string, id: string): Promise<boolean> {
  const gone = await db`
    update otps set status = 5, sealed_token = null, updated_datetime = now()
    where organisation_id = ${organisation_id} and id = ${id} and status = 1 and expires_datetime > now()
      and verification_id is null`
  return gone.count === 1
}

export async function findOtp(
  db: Db,
  organisation_id: string,
  id: string,
): Promise<(OtpRow & { attempts: number; verification_id: string | null }) | undefined> {
  const [row] = await db<(OtpRow & { attempts: number; verification_id: string | null })[]>`
    select id, recipient, attempts, ${statusNow(db)}, created_datetime, verification_id
    from otps where organisation_id = ${organisation_id} and id = ${id}`
  return row
}

/** Newest first. Returns the unsent statement, so that a test can explain its plan. */
export function listOtps(db: Db, organisation_id: string, recipient: string, limit: number) {
  return db<OtpRow[]>`
    select id, recipient, ${statusNow(db)}, created_datetime
    from otps where organisation_id = ${organisation_id} and recipient = ${recipient}
    order by id desc limit ${limit}`
}

export type ListedOtpRow = OtpRow & { attempts: number; expires_datetime: string }

/** The total of a list in the console is exact up to this number. */
const COUNTED = 10_000

/** Newest first, of all numbers or of one. */
export async function listAllOtps(
  db: Db,
  organisation_id: string,
  { recipient, status }: { recipient?: string | undefined; status?: number | undefined },
  page: Page,
): Promise<Listed<ListedOtpRow>> {
  return listPage<ListedOtpRow>(db, page, {
    select: db`id, recipient, attempts, ${statusNow(db)}, created_datetime, expires_datetime`,
    from: db`otps`,
    where: db`
      organisation_id = ${organisation_id}
      ${recipient === undefined ? db`` : db`and recipient = ${recipient}`}
      ${status === undefined ? db`` : isNow(db, status)}`,
    count_limit: COUNTED,
  })
}

function isNow(db: Db, status: number) {
  if (status === STATUS.SENT) return db`and status = 1 and expires_datetime > now()`
  if (status === STATUS.EXPIRED) return db`and status = 1 and expires_datetime <= now()`
  return db`and status = ${status}`
}

/** The current status and since when: an OTP expires without a write. */
export function statusNow(db: Db) {
  return db`
    case when status = 1 and expires_datetime <= now() then 2 else status end as status,
    case when status = 1 and expires_datetime <= now() then expires_datetime else updated_datetime end
      as updated_datetime`
}

/** Deletes one batch of old records, unless a refund is due, and returns their number. */
export async function forgetSomeOtps(db: Db, older_than_days: number, at_most: number): Promise<number> {
  const gone = await db`
    delete from otps using (
      select organisation_id, id from otps
      where created_datetime < now() - ${older_than_days} * interval '1 day'
        and (verified_fee is null or verified_fee_refunded or status = 4)
      order by created_datetime limit ${at_most}
    ) old
    where otps.organisation_id = old.organisation_id and otps.id = old.id`
  return gone.count
}
