import { makeChargeSale, type ChargeSale, type StoreSales } from '../../billing/charge.ts'
import type { Tracer } from '../../observe/trace/tracer.ts'
import type { Draft } from '../draft.ts'
import { countSales, type Counters } from '../counters.ts'
import { traceSales, traceWrites } from '../trace.ts'

/** Charges messages, counts them, and traces them if traces are enabled. */
export function makeChargeMessages<Item>(
  { meters, tracer }: { meters: Counters; tracer: Tracer | undefined },
  store: StoreSales<Item>,
  draftOf: (item: Item) => Draft,
): ChargeSale<Item> {
  if (!tracer) return countSales(makeChargeSale(store), meters, draftOf)
  const charge = makeChargeSale(traceWrites(tracer, store, draftOf))
  return countSales(traceSales(tracer, charge, draftOf), meters, draftOf)
}
