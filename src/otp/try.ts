import { isDatabaseUnreachable } from '../db/unreachable.ts'
import type { Db } from '../db/connect.ts'
import { makeBurst, type Burst } from '../values/burst.ts'
import type { OtpSettings } from './schema.ts'
import { tryTokens, type Guess, type TriedOtp } from './try-store.ts'

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
export function makeTryOtp(deps: { db: Db; sandbox: boolean; otp_settings: OtpSettings }): TryOtp {
  const bursts = new Map<string, Burst<Guess, TriedOtp | undefined>>()

  return ({ organisation_id, mode }, guess) => {
    const key = `${mode} ${organisation_id}`
    let burst = bursts.get(key)
    if (!burst) {
      const { number_failures_per_day } = deps.otp_settings.limits
      const failures_per_day = deps.sandbox || mode === 'test' ? null : number_failures_per_day
      const write = (guesses: readonly Guess[]) => tryTokens(deps.db, organisation_id, guesses, failures_per_day)
      burst = makeBurst(BURST, write, isDatabaseUnreachable)
      bursts.set(key, burst)
    }
    return burst(guess)
  }
}
