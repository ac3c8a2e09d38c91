import type { Db } from '../../db/connect.ts'
import { noteOtp } from '../../messaging/counters.ts'
import type { Meters } from '../../observe/meters.ts'
import { isId } from '../../values/id.ts'
import { STATUS } from '../schema.ts'
import { checkVerification } from './try-store.ts'
import { findCodes, findOpen, type CodeRow } from './store.ts'

/**
 * A verification as Twilio's Verify has it: one question to one number, with every code that was sent for it. An OTP that
 * was requested otherwise is a verification of one code.
 */
export type Verification = {
  /** Of its first code. */
  id: string
  /** Of the code that decides how it stands. */
  otp_id: string
  recipient: string
  status: number
  created_datetime: string
  updated_datetime: string | null
  /** Oldest first. */
  codes: readonly CodeRow[]
}

/** The verification that an OTP belongs to, under its service; undefined where there is none. */
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

/** The open verification of a number. */
export async function findOpenVerification(
  deps: { db: Db },
  organisation_id: string,
  { recipient, service_sid }: { recipient: string; service_sid: string },
): Promise<Verification | undefined> {
  const otp_id = await findOpen(deps.db, organisation_id, recipient, service_sid)
  return otp_id === undefined ? undefined : findVerification(deps, organisation_id, { otp_id, service_sid })
}

/**
 * Ends an open verification without a code: approved because the caller has checked it by other means, which counts as a
 * success of the number, or canceled. False where it was not open any more.
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
