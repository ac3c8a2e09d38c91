import { noteVerifiedMessage } from '../../messaging/count-evidence.ts'
import { noteOtp } from '../../messaging/counters.ts'
import type { Meters } from '../../observe/meters.ts'
import { isId } from '../../values/id.ts'
import { Refusal, refuseIfFaulty, type Fault, type FaultType } from '../../values/refusal.ts'
import type { InstallationKeys } from '../pepper.ts'
import { otpRecord } from '../record.ts'
import { MAX_ATTEMPTS, STATUS, type OtpRecord, type VerifyBody } from '../schema.ts'
import { blind, hashToken } from '../token.ts'
import type { TryOtp, TryVerification } from './try.ts'
import type { TriedOtp } from './try-store.ts'

export type VerifyDeps = {
  tryOtp: TryOtp
  tryVerification: TryVerification
  meters: Meters
  pepper_keys: InstallationKeys
}

type Owner = { organisation_id: string; mode: 'live' | 'test' }

/**
 * Verifies an OTP: the right token closes it as VERIFIED, five wrong ones as FAILED. In live mode the wrong attempts at
 * all OTPs of a number are limited together; otherwise requesting new tokens would allow unlimited guesses.
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
  const tried = await tryToken(deps, owner, otp_id, token.trim())
  const verified = tried?.looked_at === true && tried.status === STATUS.VERIFIED
  deps.meters.otps.inc({ event: verified ? 'verified' : 'refused' })
  if (verified) {
    deps.meters.activity.note(owner.organisation_id, 'otp_verified', 1)
    noteOtp(deps.meters.analytics, owner.organisation_id, tried, 'otp_verified')
    const { verified_message_id, recipient } = tried
    noteVerifiedMessage(deps.meters, owner.organisation_id, { id: verified_message_id ?? tried.id, recipient })
    return otpRecord(tried)
  }
  if (!tried) throw notVerified('id', 'not_found')
  if (tried.looked_at && tried.status === STATUS.FAILED) {
    noteOtp(deps.meters.analytics, owner.organisation_id, tried, 'otp_failed')
  }
  if (tried.looked_at) throw notVerified('token', 'invalid')
  const type = whyClosed(tried)
  throw notVerified('token', type, type === 'invalid' ? UNDELIVERED : undefined)
}

/** A code of a verification is compared together with all its other codes, whichever of them is named. */
async function tryToken(deps: VerifyDeps, owner: Owner, id: string, token: string): Promise<TriedOtp | undefined> {
  const { token_key, former } = deps.pepper_keys
  const keys = former ? [token_key, former.token_key] : [token_key]
  const guessOf = (otp_id: string) => ({ otp_id, ...blind(...keys.map((key) => hashToken(key, otp_id, token))) })
  const tried = await deps.tryOtp(owner, guessOf(id))
  if (!tried?.verification_id || tried.looked_at || tried.status !== STATUS.SENT) return tried
  return deps.tryVerification(owner, tried.verification_id, guessOf)
}

/**
 * Why the token was not compared. An OTP that is still SENT has a number with too many wrong attempts; one that FAILED
 * with fewer than five attempts could not be delivered.
 */
function whyClosed({ status, attempts }: TriedOtp): FaultType {
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
  max_attempts: 'There were too many wrong attempts.',
}

const UNDELIVERED = 'The token could not be delivered, so it cannot be verified.'

function notVerified(
  field: 'id' | 'token',
  type: FaultType,
  message = SENTENCE[type] ?? 'This is not the token.',
): Refusal {
  return new Refusal('not_found', 'Token not found or expired', [{ field, message, type }])
}
