import type { Tx } from '../../db/connect.ts'

export type EndedOtp = { id: string; verified_fee: bigint }

/**
 * Marks the OTPs that ended without being verified, and returns them: from then on they cannot be verified. The caller holds
 * the lock of the balance, which is always taken before those of OTPs.
 */
export async function markRefunded(tx: Tx, organisation_id: string, otp_ids: readonly string[]): Promise<EndedOtp[]> {
  return tx<EndedOtp[]>`
    update otps set verified_fee_refunded = true
    where organisation_id = ${organisation_id} and id = any (${otp_ids}::uuid[])
      and verified_fee is not null and not verified_fee_refunded
      and (status in (3, 5) or (status = 1 and expires_datetime <= now()))
    returning id, verified_fee`
}

export async function findOpenOtps(tx: Tx, organisation_id: string, otp_ids: readonly string[]): Promise<Set<string>> {
  const open = await tx<{ id: string }[]>`
    select id from otps
    where organisation_id = ${organisation_id} and id = any (${otp_ids}::uuid[]) and status = 1
      and expires_datetime > now()`
  return new Set(open.map(({ id }) => id))
}
