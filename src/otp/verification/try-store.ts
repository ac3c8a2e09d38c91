import { whereItLies } from '../../db/cluster/where-it-lies.ts'
import type { Db, Tx } from '../../db/connect.ts'
import { idArray } from '../../db/array.ts'
import { MAX_ATTEMPTS } from '../schema.ts'
import type { OtpRow } from '../store.ts'

/** A token that somebody typed, in a form in which it can be compared and not read. */
export type Guess = { otp_id: string; salt: Buffer; blinded: Buffer }

/** How an OTP stands after a try at it. */
export type TriedOtp = OtpRow & {
  attempts: number
  /** Else it was closed before, or its number has had too many wrong tries. */
  looked_at: boolean
  /** It is one code of this verification. */
  verification_id: string | null
}

/** Tries at OTPs, in their order; undefined where there is no such OTP. */
export async function tryTokens(
  db: Db,
  organisation_id: string,
  guesses: readonly Guess[],
  failures_per_day: number | null,
): Promise<(TriedOtp | undefined)[]> {
  const there = whereItLies(db, organisation_id)
  const rows = await there<(TriedOtp & { n: number })[]>`
    select n, looked_at, id, recipient, status, attempts, created_datetime, updated_datetime, verification_id
    from verify_otps(
      ${organisation_id},
      ${idArray(guesses.map(({ otp_id }) => otp_id))}::uuid[],
      ${guesses.map(({ salt }) => hexOf(salt))}::bytea[],
      ${guesses.map(({ blinded }) => hexOf(blinded))}::bytea[],
      ${MAX_ATTEMPTS}::integer,
      ${failures_per_day}::integer
    )`
  const by_place = new Map(rows.map(({ n, ...tried }) => [n, tried]))
  return guesses.map((_, place) => by_place.get(place + 1))
}

/** The codes of a verification that a try is compared with, newest first. */
export async function listCodes(db: Db, organisation_id: string, verification_id: string): Promise<string[]> {
  const codes = await db<{ id: string }[]>`
    select id from otps
    where organisation_id = ${organisation_id} and verification_id = ${verification_id}
    order by id desc limit ${MAX_CODES}`
  return codes.map(({ id }) => id)
}

/** A test number may be sent more codes than others, but they are all the same. */
const MAX_CODES = 5

/** A try at all codes of a verification, or its end without one (`functions/otp.sql`). */
export async function checkVerification(
  db: Db,
  organisation_id: string,
  verification_id: string,
  given: { deed: 'try' | 'approve' | 'cancel'; guesses: readonly Guess[]; failures_per_day: number | null },
): Promise<TriedOtp | undefined> {
  const { deed, guesses, failures_per_day } = given
  const there = whereItLies(db, organisation_id)
  const [row] = await there<TriedOtp[]>`
    select looked_at, id, recipient, status, attempts, created_datetime, updated_datetime, verification_id
    from check_verification(
      ${organisation_id}, ${verification_id},
      ${idArray(guesses.map(({ otp_id }) => otp_id))}::uuid[],
      ${guesses.map(({ salt }) => hexOf(salt))}::bytea[],
      ${guesses.map(({ blinded }) => hexOf(blinded))}::bytea[],
      ${MAX_ATTEMPTS}::integer, ${failures_per_day}::integer, ${deed}
    )`
  return row
}

function hexOf(bytes: Buffer): string {
  return `\\x${bytes.toString('hex')}`
}

/**
 * Counts one success of a number, with the newest of its OTPs whose minutes have one to count: never more successes
 * than were sent. Says whether there was one.
 */
export async function countVerified(sql: Db | Tx, organisation_id: string, recipient: string): Promise<boolean> {
  const counted = await sql`
    update otp_counters set verified = least(otp_counters.sent, otp_counters.verified + 1)
    from (
      select open.slot from otps
      join otp_counters open on open.organisation_id = otps.organisation_id
        and open.kind = 'prefix' and open.key = left(${recipient}, -4) and open.slot = otps.counted_slot
      where otps.organisation_id = ${organisation_id} and otps.recipient = ${recipient}
        and open.verified < open.sent
      order by otps.id desc limit 1
    ) newest
    where otp_counters.organisation_id = ${organisation_id} and kind = 'prefix' and key = left(${recipient}, -4)
      and otp_counters.slot = newest.slot`
  return counted.count === 1
}
