import type { Db } from '../../db/connect.ts'
import { makeBatchWriter } from '../../values/concurrency/batch-writer.ts'
import { moneyFromNumber } from '../../values/money.ts'
import {
  NETWORKS,
  type PurchaseOutcome,
  type RequeryOutcome,
  type TopupCarrier,
  type TopupOrder,
} from '../topup-carrier.ts'
import { topupBehaviourOf } from './topup-phones.ts'
import { findTopup, sellTopups } from './topup-store.ts'

const TIMEOUT_MS = 1_000
const LIMITS = { items: 500 }
const BALANCE = moneyFromNumber(1_000_000)
/** The sandbox is queried sooner than a real vendor, so that users see the outcome soon. */
const RETRY_AFTER_S = 1

/** The sandbox vendor. Its sales are stored in the database, so that a restart loses none. */
export function makeTopupSimulator(deps: { db: Db }, { name }: { name: string }): TopupCarrier {
  const sell = makeBatchWriter(LIMITS, async (orders: readonly TopupOrder[]) => {
    const sold = await sellTopups(deps.db, orders)
    return orders.map(({ reference }) => sold.delete(reference))
  })
  return {
    name,
    networks: NETWORKS,
    timeout_ms: TIMEOUT_MS,
    referenceOf: ({ purchase_id }) => purchase_id,

    async purchase(order): Promise<PurchaseOutcome> {
      const { answer, after_s } = topupBehaviourOf(order.recipient)
      // A refused purchase is unknown to later queries.
      if (answer === 'failed' || answer === 'duplicate' || answer === 'error') {
        return { kind: answer, code: answer, description: `simulated: ${answer}` }
      }
      if (!(await sell(order))) {
        return { kind: 'unclear', description: 'the reference was used before', retry_after_s: RETRY_AFTER_S }
      }
      const said = { code: answer, description: `simulated: ${answer}`, vendor_purchase_id: `sim-${order.reference}` }
      if (answer === 'success') return { kind: 'success', ...said, cost: order.amount }
      return { kind: answer, ...said, retry_after_s: after_s || RETRY_AFTER_S }
    },

    async requery(order): Promise<RequeryOutcome> {
      const sold = await findTopup(deps.db, order)
      if (!sold) return { kind: 'not_found' }
      const { later, after_s } = topupBehaviourOf(order.recipient)
      if (later === 'unclear') return { kind: 'unclear', description: 'simulated: no answer' }
      if (sold.age_s < after_s) return { kind: 'accepted', retry_after_s: after_s - sold.age_s }
      const said = { code: later, description: `simulated: ${later}`, vendor_purchase_id: `sim-${order.reference}` }
      return later === 'success' ? { kind: 'success', ...said, cost: order.amount } : { kind: 'failed', ...said }
    },

    balance: async () => BALANCE,
    stop: async () => {},
  }
}
