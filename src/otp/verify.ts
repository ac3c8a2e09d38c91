import type { Db } from '../db/connect.ts'
import { inOneTrip } from '../db/transaction.ts'
import type { Meters } from '../observe/meters.ts'
import { isId } from '../values/id.ts'
import { Refusal, refuseIfFaulty, type Fault, type FaultType } from '../values/refusal.ts'
import type { PepperKeys } from './pepper.ts'
import { otpRecord } from './record.ts'
import { MAX_ATTEMPTS, STATUS, type OtpRecord, type OtpSettings, type VerifyBody } from './schema.ts'
import { findOtp, lockTries, tryToken, type OtpRow } from './store.ts'
import { blind, hashToken } from './token.ts'

export type VerifyDeps = {
  /** Asked by key only. */
  db: Db
  meters: Meters
  pepper_keys: PepperKeys
  sandbox: boolean
  otp_settings: OtpSettings
}

type Owner = { organisation_id: string; mode: 'live' | 'test' }

/**
 * The right token of an open OTP verifies it, once; five wrong ones end it. In live mode the wrong tries at all OTPs of
 * a number are counted together, too: four digits are few, and who may ask for a new token could go on guessing.
 */
export async function verifyOtp(
  deps: VerifyDeps,
  owner: Owner,
  body: Partial<VerifyBody>,
  shape_faults: readonly Fault[],
): Promise<OtpRecord> {
  refuseIfFaulty(shape_faults)
  const { id = '', token = '' } = body
  if (!isId(id)) throw notVerified('id', 'not_found')
  const otp_id = id.toLowerCase()
  const guess = blind(hashToken(deps.pepper_keys.token_key, otp_id, token.trim()))
  const tried = await tryOnce(deps, owner, otp_id, guess)
  const verified = tried?.status === STATUS.VERIFIED
  deps.meters.otps.inc({ event: verified ? 'verified' : 'refused' })
  if (verified) {
    deps.meters.activity.note(owner.organisation_id, 'otp_verified', 1)
    return otpRecord(tried)
  }
  if (tried) throw notVerified('token', 'invalid')
  const known = await findOtp(deps.db, owner.organisation_id, otp_id)
  throw known ? notVerified('token', whyClosed(known)) : notVerified('id', 'not_found')
}

async function tryOnce(
  { db, sandbox, otp_settings }: VerifyDeps,
  { organisation_id, mode }: Owner,
  otp_id: string,
  guess: { salt: Buffer; blinded: Buffer },
): Promise<OtpRow | undefined> {
  if (sandbox || mode === 'test') return (await tryToken(db, organisation_id, otp_id, guess, null))[0]
  const { number_failures_per_day } = otp_settings.limits
  const [, tried] = await inOneTrip(db, (tx) => [
    lockTries(tx, organisation_id, otp_id),
    tryToken(tx, organisation_id, otp_id, guess, number_failures_per_day),
  ])
  return tried[0]
}

/**
 * A state other than SENT is final, so what is read now was so when the try was made. One that is still SENT was not
 * looked at, because its number has had too many wrong tries.
 */
function whyClosed({ status, attempts }: OtpRow & { attempts: number }): FaultType {
  if (status === STATUS.EXPIRED) return 'expired'
  if (status === STATUS.VERIFIED) return 'used'
  if (status === STATUS.DELETED) return 'revoked'
  return status === STATUS.SENT || attempts >= MAX_ATTEMPTS ? 'max_attempts' : 'invalid'
}

const SENTENCE: Partial<Record<FaultType, string>> = {
  not_found: 'There is no such OTP.',
  expired: 'The token has expired.',
  used: 'The token has been used already.',
  revoked: 'The token has been revoked.',
  max_attempts: 'There were too many wrong tries.',
}

function notVerified(field: 'id' | 'token', type: FaultType): Refusal {
  const message = SENTENCE[type] ?? 'This is not the token.'
  return new Refusal('not_found', 'Token not found or expired', [{ field, message, type }])
}
