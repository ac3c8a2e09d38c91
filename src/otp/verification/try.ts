import { isDatabaseUnreachable } from '../../db/unreachable.ts'
import type { Db } from '../../db/connect.ts'
import { makeBatchWriter, type BatchWriter } from '../../values/concurrency/batch-writer.ts'
import type { OtpSettings } from '../schema.ts'
import { checkVerification, listCodes, tryTokens, type Guess, type TriedOtp } from './try-store.ts'

/** One try at an OTP; undefined when there is no such OTP. */
export type TryOtp = (
  owner: { organisation_id: string; mode: 'live' | 'test' },
  guess: Guess,
) => Promise<TriedOtp | undefined>

/** Each of them may lock a number, and the locks of all bursts share a table. */
const BURST = { items: 128 }

/**
 * Tries at OTPs by group commit: those of an organisation that arrive while its tries are written down join the next
 * ones. In live mode the wrong tries at a number are counted together; what a try found out when the database went away
 * is not known, so it is never repeated.
 */
export function makeTryOtp(deps: TryDeps): TryOtp {
  const bursts = new Map<string, BatchWriter<Guess, TriedOtp | undefined>>()

  return ({ organisation_id, mode }, guess) => {
    const key = `${mode} ${organisation_id}`
    let burst = bursts.get(key)
    if (!burst) {
      const failures_per_day = failuresPerDay(deps, mode)
      const write = (guesses: readonly Guess[]) => tryTokens(deps.db, organisation_id, guesses, failures_per_day)
      burst = makeBatchWriter(BURST, write, isDatabaseUnreachable)
      bursts.set(key, burst)
    }
    return burst(guess)
  }
}

type TryDeps = { db: Db; sandbox: boolean; otp_settings: OtpSettings }

/** One try at a verification of several codes; `guessOf` is the token as it is compared with each. */
export type TryVerification = (
  owner: { organisation_id: string; mode: 'live' | 'test' },
  verification_id: string,
  guessOf: (otp_id: string) => Guess,
) => Promise<TriedOtp | undefined>

/** A code that is sent while the token is on its way to us cannot be the one that was typed. */
export function makeTryVerification(deps: TryDeps): TryVerification {
  return async ({ organisation_id, mode }, verification_id, guessOf) => {
    const guesses = (await listCodes(deps.db, organisation_id, verification_id)).map(guessOf)
    const failures_per_day = failuresPerDay(deps, mode)
    return checkVerification(deps.db, organisation_id, verification_id, { deed: 'try', guesses, failures_per_day })
  }
}

function failuresPerDay({ sandbox, otp_settings }: TryDeps, mode: 'live' | 'test'): number | null {
  return sandbox || mode === 'test' ? null : otp_settings.limits.number_failures_per_day
}
