import type { Db } from '../db/connect.ts'
import { forgetTraffic } from './admission/admit-store.ts'
import { forgetSomeOtps } from './store.ts'

const BATCH = 1_000

/** Deletes old OTPs in small batches, so that no statement blocks others, and outdated counters. */
export async function forgetOtps(
  deps: { db: Db },
  { otps_days, window_minutes }: { otps_days: number; window_minutes: number },
): Promise<void> {
  let gone = BATCH
  while (gone === BATCH) gone = await forgetSomeOtps(deps.db, otps_days, BATCH)
  await forgetTraffic(deps.db, window_minutes)
}
