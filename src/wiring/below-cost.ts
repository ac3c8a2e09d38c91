import type { Costs } from '../carriers/costs.ts'
import type { RouteTable, Tariff } from '../messaging/compose/tariff.ts'
import { samplePrefix } from '../numbers/sample-prefix.ts'
import type { CostAt } from '../prices/import.ts'
import type { BelowCost } from '../prices/schema.ts'

type Deps = {
  costs: Costs
  /** The carrier that a message of the route is submitted to first. */
  firstCarrier: (route: string) => string | undefined
  note: (action: Exclude<BelowCost, 'allow'>) => void
}

/**
 * The tariff of a price list that does not allow prices below the cost of the route's first carrier: such a price is counted,
 * or is none. Only with such a list are costs looked up when a message is accepted.
 */
export function guardCosts({ costs, firstCarrier, note }: Deps, tariff: Tariff, below_cost: BelowCost): Tariff {
  if (below_cost === 'allow' || !costs.in_use) return tariff
  return {
    ...tariff,
    price(channel, recipient, who) {
      const price = tariff.price(channel, recipient, who)
      const route = price && tariff.route(channel, recipient, who)
      const carrier = route === undefined ? undefined : firstCarrier(route)
      const of_carrier = carrier === undefined ? undefined : costs.of(carrier)
      const cost = of_carrier?.perPage({ channel, recipient, promotional: who?.route_class === 'promotional' })
      if (!price || cost === undefined || cost <= price.per_page) return price
      note(below_cost)
      return below_cost === 'refuse' ? undefined : price
    },
  }
}

type Routes = {
  route_tables: { live: Pick<RouteTable, 'route'> }
  first_carriers: ReadonlyMap<string, string>
}

/** The cost of messages to a target of a price list, at the first carrier of the route that they take at present. */
export function makeCostAt(costs: Costs, routing: Routes): CostAt {
  return ({ channel, prefix, country, operator, route_class }) => {
    if (!costs.in_use) return undefined
    const recipient = prefix === '' && country !== undefined ? samplePrefix(country, operator) : prefix
    if (!recipient) return undefined
    const route = routing.route_tables.live.route(channel, recipient, { operator, route_class })
    const carrier = route === undefined ? undefined : routing.first_carriers.get(route)
    const of_carrier = carrier === undefined ? undefined : costs.of(carrier)
    const per_page = of_carrier?.perPage({ channel, recipient, promotional: route_class === 'promotional' })
    return carrier === undefined || per_page === undefined ? undefined : { carrier, per_page }
  }
}
