import type { ChargeSale } from '../../billing/charge.ts'
import type { Activity } from '../../observe/activity.ts'
import type { Analytics } from '../../observe/analytics/tally.ts'
import type { Draft } from '../draft.ts'
import { noteAccepted, noteSettled } from './analyse.ts'
import type { Changed } from './store.ts'

/** Where is counted: by the minute, and by the hour and what it was. */
export type Counters = { activity: Activity; analytics: Analytics }

/** Charges as before, and counts what is sold: money, and the deliveries of the messages among it. */
export function countSales<Item>(
  chargeSale: ChargeSale<Item>,
  { activity, analytics }: Counters,
  draftOf?: (item: Item) => Draft,
): ChargeSale<Item> {
  return async (organisation_id, sale) => {
    const receipt = await chargeSale(organisation_id, sale)
    if (receipt.replayed) return receipt
    activity.note(organisation_id, 'spend', Number(sale.amount))
    const draft = draftOf?.(sale.item)
    if (draft) {
      activity.note(organisation_id, 'accepted', draft.deliveries.length)
      noteAccepted(analytics, organisation_id, draft)
    }
    return receipt
  }
}

/** What became of deliveries, and what was given back for them. */
export function countSettled(
  { activity, analytics }: Counters,
  organisation_id: string,
  changed: readonly Changed[],
): void {
  for (const { status, refunded, charge } of changed) {
    activity.note(organisation_id, status, 1)
    if (refunded) activity.note(organisation_id, 'refunds', Number(charge))
  }
  noteSettled(analytics, organisation_id, changed)
}
