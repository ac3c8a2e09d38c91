import type { ChargeSale } from '../../billing/charge.ts'
import type { Activity } from '../../observe/activity.ts'
import type { Changed } from './store.ts'

/** Charges as before, and counts what is sold: money, and the deliveries of the messages among it. */
export function countSales<Item>(
  chargeSale: ChargeSale<Item>,
  activity: Activity,
  deliveriesOf: (item: Item) => number = () => 0,
): ChargeSale<Item> {
  return async (organisation_id, sale) => {
    const receipt = await chargeSale(organisation_id, sale)
    if (receipt.replayed) return receipt
    activity.note(organisation_id, 'spend', Number(sale.amount))
    const deliveries = deliveriesOf(sale.item)
    if (deliveries > 0) activity.note(organisation_id, 'accepted', deliveries)
    return receipt
  }
}

/** What became of deliveries, and what was given back for them. */
export function countSettled(activity: Activity, organisation_id: string, changed: readonly Changed[]): void {
  for (const { status, refunded, charge } of changed) {
    activity.note(organisation_id, status, 1)
    if (refunded) activity.note(organisation_id, 'refunds', Number(charge))
  }
}
