import type { Billed, Costs } from '../carriers/costs.ts'
import type { RouteTable, Tariff } from '../messaging/compose/tariff.ts'
import { carriersOf, type RouteSettings } from '../messaging/settings.ts'
import { samplePrefix } from '../numbers/sample-prefix.ts'
import type { CostAt } from '../prices/import.ts'
import type { BelowCost } from '../prices/schema.ts'

type Deps = {
  costs: Costs
  /** See `costingCarriers`. */
  carriersOf: (route: string) => readonly string[] | undefined
  note: (action: Exclude<BelowCost, 'allow'>) => void
}

/** The carriers whose costs a price is compared with: the first one of a route, or those that it chooses among. */
export function costingCarriers(route: RouteSettings): readonly string[] {
  return route.choose === 'order' ? carriersOf(route).slice(0, 1) : carriersOf(route)
}

/**
 * The tariff of a price list that does not allow prices below the least cost of the route: such a price is counted, or is
 * none. Only with such a list are costs looked up when a message is accepted.
 */
export function guardCosts(
  { costs, carriersOf: carriersOfRoute, note }: Deps,
  tariff: Tariff,
  below_cost: BelowCost,
): Tariff {
  if (below_cost === 'allow' || !costs.in_use) return tariff
  return {
    ...tariff,
    price(channel, recipient, who) {
      const price = tariff.price(channel, recipient, who)
      const route = price && tariff.route(channel, recipient, who)
      const carriers = route === undefined ? undefined : carriersOfRoute(route)
      const least = leastCost(costs, carriers, { channel, recipient, promotional: who?.route_class === 'promotional' })
      if (!price || !least || least.per_page <= price.per_page) return price
      note(below_cost)
      return below_cost === 'refuse' ? undefined : price
    },
  }
}

type Routes = {
  route_tables: { live: Pick<RouteTable, 'route'> }
  costing_carriers: ReadonlyMap<string, readonly string[]>
}

/** The least cost of messages to a target of a price list, on the route that they take at present. */
export function makeCostAt(costs: Costs, routing: Routes): CostAt {
  return ({ channel, prefix, country, operator, route_class }) => {
    if (!costs.in_use) return undefined
    const recipient = prefix === '' && country !== undefined ? samplePrefix(country, operator) : prefix
    if (!recipient) return undefined
    const route = routing.route_tables.live.route(channel, recipient, { operator, route_class })
    const carriers = route === undefined ? undefined : routing.costing_carriers.get(route)
    return leastCost(costs, carriers, { channel, recipient, promotional: route_class === 'promotional' })
  }
}

function leastCost(
  costs: Costs,
  carriers: readonly string[] = [],
  billed: Omit<Billed, 'pages'>,
): { carrier: string; per_page: bigint } | undefined {
  let least: { carrier: string; per_page: bigint } | undefined
  for (const carrier of carriers) {
    const per_page = costs.of(carrier)?.perPage(billed)
    if (per_page !== undefined && (!least || per_page < least.per_page)) least = { carrier, per_page }
  }
  return least
}
