import type { Db } from '../../db/connect.ts'
import { noteOtp } from '../../messaging/counters.ts'
import type { Meters } from '../../observe/meters.ts'
import { isId } from '../../values/id.ts'
import { STATUS } from '../schema.ts'
import { checkVerification } from './try-store.ts'
import { findCodes, findOpen, type CodeRow } from './store.ts'

/**
 * A verification in the sense of Twilio Verify: one check of one number, with every code that was sent for it. An OTP
 * requested through another API is a verification with one code.
 */
export type Verification = {
  /** The id of its first code. */
  id: string
  /** The code that determines its status. */
  otp_id: string
  recipient: string
  status: number
  created_datetime: string
  updated_datetime: string | null
  /** Oldest first. */
  codes: readonly CodeRow[]
}

/** The verification of a service that an OTP belongs to. */
export async function findVerification(
  { db }: { db: Db },
  organisation_id: string,
  { otp_id, service_sid }: { otp_id: string; service_sid: string },
): Promise<Verification | undefined> {
  const codes = isId(otp_id) ? await findCodes(db, organisation_id, otp_id) : []
  const [decides] = codes
  if (!decides || (decides.service_sid ?? service_sid) !== service_sid) return undefined
  const in_order = codes.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  return {
    id: decides.verification_id,
    otp_id: decides.id,
    recipient: decides.recipient,
    status: decides.status,
    created_datetime: in_order[0]?.created_datetime ?? decides.created_datetime,
    updated_datetime: decides.updated_datetime,
    codes: in_order,
  }
}

/** The open verification of a number, if there is one. */
export async function findOpenVerification(
  deps: { db: Db },
  organisation_id: string,
  { recipient, service_sid }: { recipient: string; service_sid: string },
): Promise<Verification | undefined> {
  const otp_id = await findOpen(deps.db, organisation_id, recipient, service_sid)
  return otp_id === undefined ? undefined : findVerification(deps, organisation_id, { otp_id, service_sid })
}

/**
 * Closes an open verification without a token: `approve` if the caller verified the number by other means (counted as
 * verified), or `cancel`. False if it was no longer open.
 */
export async function closeVerification(
  { db, meters }: { db: Db; meters: Meters },
  organisation_id: string,
  id: string,
  deed: 'approve' | 'cancel',
): Promise<boolean> {
  const closed = await checkVerification(db, organisation_id, id, { deed, guesses: [], failures_per_day: null })
  if (!closed?.looked_at) return false
  if (closed.status === STATUS.VERIFIED) {
    meters.otps.inc({ event: 'verified' })
    meters.activity.note(organisation_id, 'otp_verified', 1)
    noteOtp(meters.analytics, organisation_id, closed, 'otp_verified')
  }
  return true
}
