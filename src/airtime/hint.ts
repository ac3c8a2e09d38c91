import type { TopupCarrier } from '../carriers/topup-carrier.ts'
import type { Db } from '../db/connect.ts'
import { transaction } from '../db/transaction.ts'
import { enqueue } from '../queue/store.ts'
import type { Wakeups } from '../queue/wakeups.ts'
import { findTried, hastenJob } from './hint-store.ts'
import { AIRTIME_QUEUE } from './store.ts'

export type HintDeps = { db: Db; wakeups: Wakeups; vendors: ReadonlyMap<string, TopupCarrier> }

/**
 * A vendor called back. Anybody can post there, so what it says is not believed: the purchase it names is asked about
 * at once instead of later. False when it names none of ours that is still open.
 */
export async function takeHint(deps: HintDeps, vendor: string, body: string): Promise<boolean> {
  const hint = deps.vendors.get(vendor)?.parseCallback?.(body)
  const found = hint && (await findTried(deps.db, vendor, hint))
  if (!found) return false
  await transaction(deps.db, async (tx) => {
    const { organisation_id, purchase_id } = found
    if ((await hastenJob(tx, AIRTIME_QUEUE, organisation_id, purchase_id)) || !found.in_review) return
    // The operator has it, and it has no job any more. An answer that comes late still settles it.
    await enqueue(tx, AIRTIME_QUEUE, [{ lane: organisation_id, organisation_id, subject_id: purchase_id }])
  })
  deps.wakeups.wake(AIRTIME_QUEUE)
  return true
}
