import type { TopupHint } from '../carriers/topup-carrier.ts'
import type { Db, Tx } from '../db/connect.ts'

/** The open purchase a vendor means. */
export async function findTried(
  db: Db,
  vendor: string,
  { reference, vendor_purchase_id }: TopupHint,
): Promise<{ organisation_id: string; purchase_id: string; in_review: boolean } | undefined> {
  const [row] = await db<{ organisation_id: string; purchase_id: string; in_review: boolean }[]>`
    select purchases.organisation_id, purchase_id, review_datetime is not null as in_review
    from purchase_tries tried
    join purchases on purchases.organisation_id = tried.organisation_id and purchases.id = tried.purchase_id
    where vendor = ${vendor}
      and ${
        reference === undefined ? db`vendor_purchase_id = ${vendor_purchase_id ?? ''}` : db`reference = ${reference}`
      }
      and purchases.status in ('pending', 'sent')
    limit 1`
  return row
}

/** Makes the purchase's job due; false when it has none that waits. */
export async function hastenJob(tx: Tx, queue: string, organisation_id: string, subject_id: string): Promise<boolean> {
  const changed = await tx`
    update jobs set run_at = now()
    where organisation_id = ${organisation_id} and queue = ${queue} and lane = ${organisation_id}
      and subject_id = ${subject_id} and not in_hand`
  return changed.count > 0
}
