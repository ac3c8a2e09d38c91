import type { Tx } from '../../db/connect.ts'
import { noteOtp } from '../../messaging/counters.ts'
import type { Meters } from '../../observe/meters.ts'
import { bringForward, failUndeliverable, lockOtpsOf, type FailedOtp } from './fail-store.ts'

/** States of a delivery that will not arrive. */
export const LOST: ReadonlySet<string> = new Set(['failed', 'rejected', 'undelivered'])

/**
 * Runs in the transaction that settles deliveries: an OTP whose messages have all failed becomes FAILED, and one with a
 * pending fallback is sent on that channel immediately. A message that expired at the carrier may still arrive, so it
 * does not fail its OTP. The returned function counts the failed OTPs after the commit.
 */
export function makeFailOtps({ analytics }: Pick<Meters, 'analytics'>) {
  return async (
    tx: Tx,
    organisation_id: string,
    changed: readonly { message_id: string; status: string }[],
  ): Promise<void | (() => void)> => {
    const failed = await failOtps(tx, organisation_id, changed)
    if (failed.length === 0) return
    return () => {
      for (const otp of failed) noteOtp(analytics, organisation_id, otp, 'otp_failed')
    }
  }
}

/** Returns the OTPs that became FAILED. */
export async function failOtps(
  tx: Tx,
  organisation_id: string,
  changed: readonly { message_id: string; status: string }[],
): Promise<FailedOtp[]> {
  const lost = changed.filter(({ status }) => LOST.has(status)).map(({ message_id }) => message_id)
  if (lost.length === 0) return []
  const otp_ids = await lockOtpsOf(tx, organisation_id, lost)
  if (otp_ids.length === 0) return []
  await bringForward(tx, organisation_id, otp_ids)
  return failUndeliverable(tx, organisation_id, otp_ids)
}
