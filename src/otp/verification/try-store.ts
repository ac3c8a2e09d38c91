import { connectionsOf } from '../../db/layout.ts'
import type { Db, Tx } from '../../db/connect.ts'
import { idArray } from '../../db/array.ts'
import { MAX_ATTEMPTS } from '../schema.ts'
import type { OtpRow } from '../store.ts'

/** A submitted token, hashed and salted for comparison. */
export type Guess = { otp_id: string; salt: Buffer; blinded: Buffer }

/** The state of an OTP after an attempt. */
export type TriedOtp = OtpRow & {
  attempts: number
  /** Whether the token was compared: false if the OTP was closed or its number has had too many wrong attempts. */
  looked_at: boolean
  /** The verification it is a code of. */
  verification_id: string | null
  /** The message whose token was entered. */
  verified_message_id: string | null
}

/** Makes the attempts in order; undefined where the OTP does not exist. */
export async function tryTokens(
  db: Db,
  organisation_id: string,
  guesses: readonly Guess[],
  failures_per_day: number | null,
): Promise<(TriedOtp | undefined)[]> {
  const there = connectionsOf(db, organisation_id)
  const rows = await there<(TriedOtp & { n: number })[]>`
    select n, looked_at, id, recipient, status, attempts, created_datetime, updated_datetime, verification_id,
      verified_message_id
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

/** The codes of a verification that a token is compared with, newest first. */
export async function listCodes(db: Db, organisation_id: string, verification_id: string): Promise<string[]> {
  const codes = await db<{ id: string }[]>`
    select id from otps
    where organisation_id = ${organisation_id} and verification_id = ${verification_id}
    order by id desc limit ${MAX_CODES}`
  return codes.map(({ id }) => id)
}

/** A test number may have more codes, but they are all equal. */
const MAX_CODES = 5

/** Attempts, approves or cancels a verification with all its codes (`functions/otp.sql`). */
export async function checkVerification(
  db: Db,
  organisation_id: string,
  verification_id: string,
  given: { deed: 'try' | 'approve' | 'cancel'; guesses: readonly Guess[]; failures_per_day: number | null },
): Promise<TriedOtp | undefined> {
  const { deed, guesses, failures_per_day } = given
  const there = connectionsOf(db, organisation_id)
  const [row] = await there<TriedOtp[]>`
    select looked_at, id, recipient, status, attempts, created_datetime, updated_datetime, verification_id,
      verified_message_id
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
 * Counts one verification of a number in the newest slot that has fewer verifications than OTPs sent. Returns whether
 * there was such a slot.
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
