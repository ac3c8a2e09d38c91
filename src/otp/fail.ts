import type { Tx } from '../db/connect.ts'
import { bringForward, failUndeliverable, lockOtpsOf } from './fail-store.ts'

const LOST = new Set(['failed', 'rejected', 'undelivered'])

/**
 * Joins the settling of deliveries: an OTP none of whose messages can arrive any more is FAILED. One that has another
 * channel left goes there now instead of later. A message that expired at the carrier may still come, so it is no
 * reason to give its OTP up before its time.
 */
export async function failOtps(
  tx: Tx,
  organisation_id: string,
  changed: readonly { message_id: string; status: string }[],
): Promise<void> {
  const lost = changed.filter(({ status }) => LOST.has(status)).map(({ message_id }) => message_id)
  if (lost.length === 0) return
  const otp_ids = await lockOtpsOf(tx, organisation_id, lost)
  if (otp_ids.length === 0) return
  await bringForward(tx, organisation_id, otp_ids)
  await failUndeliverable(tx, organisation_id, otp_ids)
}
