import type { Tx } from '../../db/connect.ts'
import { noteOtp } from '../../messaging/counters.ts'
import type { Meters } from '../../observe/meters.ts'
import { bringForward, failUndeliverable, lockOtpsOf, type FailedOtp } from './fail-store.ts'

const LOST = new Set(['failed', 'rejected', 'undelivered'])

/**
 * Joins the settling of deliveries: an OTP none of whose messages can arrive any more is FAILED. One that has another
 * channel left goes there now instead of later. A message that expired at the carrier may still come, so it is no
 * reason to give its OTP up before its time. Those that failed are counted after the commit.
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

/** Gives those that are FAILED by this. */
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
