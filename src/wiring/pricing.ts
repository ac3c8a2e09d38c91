import type { Db } from '../db/connect.ts'
import type { LiveVersions } from '../db/live-versions.ts'
import type { NumberKnowledge } from '../numbers/knowledge.ts'
import type { Meters } from '../observe/meters.ts'
import { startCarrierCosts } from '../prices/carrier-costs.ts'
import { startPriceLists } from '../prices/price-lists.ts'
import { makeCostAt } from './below-cost.ts'
import { makeTariffOf, type Routing } from './routing.ts'

type Deps = { db: Db; live_versions: LiveVersions; meters: Meters; numbers: NumberKnowledge }

/** What messages are charged, and what they cost. */
export async function startPricing({ db, live_versions, meters, numbers }: Deps, routing: Routing) {
  const deps = { db, live_versions, originOf: numbers.table.originOf }
  const [price_lists, costs] = await Promise.all([startPriceLists(deps), startCarrierCosts(deps)])
  return {
    costs,
    tariffOf: makeTariffOf(price_lists, costs, meters, routing),
    feesOf: price_lists.feesOf,
    costAt: makeCostAt(costs, routing),
  }
}
