import { isDatabaseUnreachable } from '../../db/unreachable.ts'
import type { Db } from '../../db/connect.ts'
import { makeKeyedBatchWriter } from '../../values/concurrency/batch-writer.ts'
import type { OtpSettings } from '../schema.ts'
import { checkVerification, listCodes, tryTokens, type Guess, type TriedOtp } from './try-store.ts'

/** One verification attempt; undefined if the OTP does not exist. */
export type TryOtp = (
  owner: { organisation_id: string; mode: 'live' | 'test' },
  guess: Guess,
) => Promise<TriedOtp | undefined>

/** Each attempt may lock a number, and the locks of all batches share PostgreSQL's lock table. */
const BATCH = { items: 128 }

/**
 * Verification attempts by group commit, one batch at a time per organisation and mode. In live mode the wrong attempts
 * at all OTPs of a number are counted together. If the database becomes unreachable, the outcome is unknown, so the
 * attempt is never repeated.
 */
export function makeTryOtp(deps: TryDeps): TryOtp {
  const writers = {
    live: makeKeyedBatchWriter<Guess, TriedOtp | undefined>(BATCH, writeIn('live'), isDatabaseUnreachable),
    test: makeKeyedBatchWriter<Guess, TriedOtp | undefined>(BATCH, writeIn('test'), isDatabaseUnreachable),
  }

  function writeIn(mode: 'live' | 'test') {
    const failures_per_day = failuresPerDay(deps, mode)
    return (organisation_id: string, guesses: readonly Guess[]) =>
      tryTokens(deps.db, organisation_id, guesses, failures_per_day)
  }

  return ({ organisation_id, mode }, guess) => writers[mode](organisation_id, guess)
}

type TryDeps = { db: Db; sandbox: boolean; otp_settings: OtpSettings }

/** One attempt at a verification of several codes; `guessOf` hashes the token for the comparison with one code. */
export type TryVerification = (
  owner: { organisation_id: string; mode: 'live' | 'test' },
  verification_id: string,
  guessOf: (otp_id: string) => Guess,
) => Promise<TriedOtp | undefined>

/** A code that is added after `listCodes` was sent after the token was typed, so it cannot match. */
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
