import type { TopupCarrier } from '../carriers/topup-carrier.ts'
import type { Db } from '../db/connect.ts'
import { transaction } from '../db/transaction.ts'
import { enqueue } from '../queue/store.ts'
import type { Wakeups } from '../queue/wakeups.ts'
import { AIRTIME_QUEUE } from './store.ts'
import { expediteJob, findTried } from './try-store.ts'

export type VendorCallbackDeps = { db: Db; wakeups: Wakeups; vendors: ReadonlyMap<string, TopupCarrier> }

/**
 * A vendor called back. The request is not authenticated, so its contents are not trusted: the purchase that it names is
 * queried immediately instead of later. False if it names no open purchase.
 */
export async function receiveVendorCallback(deps: VendorCallbackDeps, vendor: string, body: string): Promise<boolean> {
  const hint = deps.vendors.get(vendor)?.parseCallback?.(body)
  const found = hint && (await findTried(deps.db, vendor, hint))
  if (!found) return false
  await transaction(deps.db, async (tx) => {
    const { organisation_id, purchase_id } = found
    if ((await expediteJob(tx, AIRTIME_QUEUE, organisation_id, purchase_id)) || !found.in_review) return
    // In review it has no job any more. A late answer of the vendor still settles it.
    await enqueue(tx, AIRTIME_QUEUE, [{ lane: organisation_id, organisation_id, subject_id: purchase_id }])
  })
  deps.wakeups.wake(AIRTIME_QUEUE)
  return true
}
