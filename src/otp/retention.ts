import type { Db } from '../db/connect.ts'
import { forgetSomeOtps } from './store.ts'

const BATCH = 1_000

/** Deletes old OTPs in small batches, so that no statement blocks others. */
export async function forgetOtps(deps: { db: Db }, { otps_days }: { otps_days: number }): Promise<void> {
  let gone = BATCH
  while (gone === BATCH) gone = await forgetSomeOtps(deps.db, otps_days, BATCH)
}
