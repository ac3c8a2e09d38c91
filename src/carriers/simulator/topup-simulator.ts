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
const BURST = { items: 500 }
const BALANCE = moneyFromNumber(1_000_000)
/** The sandbox is asked sooner than a real vendor would be, so that nobody has to wait for it. */
const ASK_AGAIN_S = 1

/** The vendor of the sandbox. What it has sold lies in the database, so that a restart forgets none of it. */
export function makeTopupSimulator(deps: { db: Db }, { name }: { name: string }): TopupCarrier {
  const sell = makeBatchWriter(BURST, async (orders: readonly TopupOrder[]) => {
    const sold = await sellTopups(deps.db, orders)
    return orders.map(({ reference }) => sold.delete(reference))
  })
  return {
    name,
    networks: NETWORKS,
    timeout_ms: TIMEOUT_MS,
    referenceOf: ({ purchase_id }) => purchase_id,

    async purchase(order): Promise<PurchaseOutcome> {
      const { at_once, after_s } = topupBehaviourOf(order.recipient)
      // A vendor that refuses at once has nothing in its books.
      if (at_once === 'failed' || at_once === 'duplicate' || at_once === 'error') {
        return { kind: at_once, code: at_once, description: `simulated: ${at_once}` }
      }
      if (!(await sell(order))) {
        return { kind: 'unclear', description: 'the reference was used before', retry_after_s: ASK_AGAIN_S }
      }
      const said = { code: at_once, description: `simulated: ${at_once}`, vendor_purchase_id: `sim-${order.reference}` }
      if (at_once === 'success') return { kind: 'success', ...said, cost: order.amount }
      return { kind: at_once, ...said, retry_after_s: after_s || ASK_AGAIN_S }
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
