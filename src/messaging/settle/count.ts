import type { Sale, ChargeSale } from '../../billing/charge.ts'
import type { Activity } from '../../observe/activity.ts'
import { isRecord } from '../../values/record.ts'
import type { Changed } from './store.ts'

/** Charges as before, and counts what is sold: money, and the deliveries of the messages among it. */
export function countSales(chargeSale: ChargeSale, activity: Activity): ChargeSale {
  return async (organisation_id, sale) => {
    const receipt = await chargeSale(organisation_id, sale)
    if (!receipt.replayed) {
      activity.note(organisation_id, 'spend', Number(sale.amount))
      if (sale.kind === 'message') activity.note(organisation_id, 'accepted', deliveriesOf(sale))
    }
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

function deliveriesOf({ writes }: Sale): number {
  const [first] = writes // the message itself; what else is stored with it may be the same draft again
  const { deliveries } = isRecord(first?.item) ? first.item : {}
  return Array.isArray(deliveries) ? deliveries.length : 0
}
