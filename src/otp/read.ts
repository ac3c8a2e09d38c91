import type { Db } from '../db/connect.ts'
import { isId } from '../values/id.ts'
import { readPage, type PageQuery, type Pagination } from '../values/page.ts'
import { cleanPhone, dialPlan } from '../values/phone/phone.ts'
import { Refusal, refuseIfFaulty } from '../values/refusal.ts'
import { otpRecord } from './record.ts'
import { MAX_RECORDS, STATUS, type ListedOtp, type OtpRecord } from './schema.ts'
import { deleteOpenOtp, findOtp, listAllOtps, listOtps } from './store.ts'
import { checkVerification } from './verification/try-store.ts'

export async function readOtp(deps: { db: Db }, organisation_id: string, id: string): Promise<OtpRecord> {
  const row = isId(id) ? await findOtp(deps.db, organisation_id, id) : undefined
  if (!row) throw unknownOtp()
  return otpRecord(row)
}

/** The OTPs of a number, newest first. `given` is the value with the field name that the caller used. */
export async function findOtps(
  deps: { db: Db },
  { organisation_id, default_country }: { organisation_id: string; default_country: string },
  given: { field: string; value: unknown },
): Promise<OtpRecord[]> {
  const rows = await listOtps(deps.db, organisation_id, readNumber(given, default_country), MAX_RECORDS)
  return rows.map(otpRecord)
}

/** The OTPs of an organisation, newest first, filtered by number and status. */
export async function findAllOtps(
  deps: { db: Db },
  organisation_id: string,
  query: PageQuery & { recipient?: string | undefined; status?: number | undefined },
): Promise<{ otps: ListedOtp[]; pagination: Pagination }> {
  const { rows, pagination } = await listAllOtps(deps.db, organisation_id, query, readPage(query))
  const otps = rows.map((row) => {
    return { ...otpRecord(row), attempts: row.attempts, expires_datetime: row.expires_datetime }
  })
  return { otps, pagination }
}

/**
 * Revokes an OTP, with all codes of its verification. Idempotent, and not an error if the OTP has expired or failed; but
 * revoking a verified one is refused, because its token has already been accepted.
 */
export async function revokeOtp(deps: { db: Db }, organisation_id: string, id: string): Promise<void> {
  if (!isId(id)) throw unknownOtp()
  if (await deleteOpenOtp(deps.db, organisation_id, id)) return
  const row = await findOtp(deps.db, organisation_id, id)
  if (!row) throw unknownOtp()
  if (row.verification_id !== null) {
    const cancel = { deed: 'cancel' as const, guesses: [], failures_per_day: null }
    row.status = (await checkVerification(deps.db, organisation_id, row.verification_id, cancel))?.status ?? row.status
  }
  if (row.status === STATUS.VERIFIED) throw new Refusal('conflict', 'The token has been verified already.')
}

function readNumber({ field, value }: { field: string; value: unknown }, country: string): string {
  if (value === undefined) refuseIfFaulty([{ field, message: 'This field is required.', type: 'missing' }])
  if (typeof value !== 'string') {
    refuseIfFaulty([{ field, message: 'This value must be string.', type: 'string_type' }])
  }
  const recipient = cleanPhone(String(value), dialPlan(country))
  if (recipient === undefined) {
    refuseIfFaulty([{ field, message: 'This is not a phone number.', type: 'phone_invalid' }])
  }
  return recipient ?? ''
}

function unknownOtp(): Refusal {
  return new Refusal('not_found', 'There is no such OTP.')
}
