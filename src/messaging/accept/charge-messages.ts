import { makeChargeSale, type ChargeSale, type StoreSales } from '../../billing/charge.ts'
import type { Activity } from '../../observe/activity.ts'
import type { Tracer } from '../../observe/trace/tracer.ts'
import type { Draft } from '../draft.ts'
import { countSales } from '../settle/count.ts'
import { traceSales, traceWrites } from '../trace.ts'

/** Charges whatever is made of a message, counts it, and traces it where that is wanted. */
export function makeChargeMessages<Item>(
  { activity, tracer }: { activity: Activity; tracer: Tracer | undefined },
  store: StoreSales<Item>,
  draftOf: (item: Item) => Draft,
): ChargeSale<Item> {
  const recipients = (item: Item): number => draftOf(item).deliveries.length
  if (!tracer) return countSales(makeChargeSale(store), activity, recipients)
  const charge = makeChargeSale(traceWrites(tracer, store, draftOf))
  return countSales(traceSales(tracer, charge, draftOf), activity, recipients)
}
