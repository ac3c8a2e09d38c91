import { makeChargeSale, type ChargeSale, type StoreManySales, type StoreSales } from '../../billing/charge.ts'
import type { Tracer } from '../../observe/trace/tracer.ts'
import type { Draft } from '../draft.ts'
import { countSales, type Counters } from '../counters.ts'
import { traceManyWrites, traceSales, traceWrites } from '../trace.ts'

/** Charges messages, counts them, and traces them if traces are enabled. */
export function makeChargeMessages<Item>(
  { meters, tracer }: { meters: Counters; tracer: Tracer | undefined },
  { storeSales, storeMany }: { storeSales: StoreSales<Item>; storeMany?: StoreManySales<Item> | undefined },
  draftOf: (item: Item) => Draft,
  /** Messages charged by one ledger line. */
  max_sales?: number,
): ChargeSale<Item> {
  if (!tracer) return countSales(makeChargeSale(storeSales, storeMany, max_sales), meters, draftOf)
  const charge = makeChargeSale(
    traceWrites(tracer, storeSales, draftOf),
    storeMany && traceManyWrites(tracer, storeMany, draftOf),
    max_sales,
  )
  return countSales(traceSales(tracer, charge, draftOf), meters, draftOf)
}
