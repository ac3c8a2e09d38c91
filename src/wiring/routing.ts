import { carriersOfKind } from '../carriers/kinds.ts'
import type { Costs } from '../carriers/costs.ts'
import { makeWhatsappRules } from '../carriers/whatsapp/rules.ts'
import type { WhatsappSettings } from '../carriers/whatsapp/schema.ts'
import { routesWithPages } from '../config/page-forms.ts'
import type { Config } from '../config/config.ts'
import type { Settings } from '../config/settings.ts'
import type { Db } from '../db/connect.ts'
import { makePriceTable, makeRouteTable, makeTariff, onlyRoute, type TariffOf } from '../messaging/compose/tariff.ts'
import { routeQueue, routeQueues, TEST_ROUTE } from '../messaging/dispatch/queues.ts'
import { REFUSING_ROUTES } from '../messaging/dispatch/refusing-carrier.ts'
import { carriersOf, isConfigured } from '../messaging/settings.ts'
import type { NumberKnowledge } from '../numbers/knowledge.ts'
import type { Meters } from '../observe/meters.ts'
import type { PriceLists } from '../prices/price-lists.ts'
import { probeNetworkOf } from '../probes/network.ts'
import { costingCarriers, guardCosts } from './below-cost.ts'
import { databaseSubject } from './status.ts'

export type Routing = ReturnType<typeof makeRouting>

/** What requests read of carriers, routes and prices. A reload makes it anew; the other settings stay as they were. */
export function makeRouting(
  { db, numbers, config }: { db: Db; numbers: NumberKnowledge; config: Config },
  settings: Settings,
) {
  const { carriers, routes, prices } = settings
  const file_prices = makePriceTable(prices, numbers.table.originOf)
  const live_routes = makeRouteTable(routesWithPages(settings).filter(isConfigured), numbers.table.originOf)
  const test_routes = onlyRoute(live_routes, TEST_ROUTE)
  return {
    route_tables: { live: live_routes, test: test_routes },
    /** With the prices of the configuration file. */
    file_tariffs: { live: makeTariff(file_prices, live_routes), test: makeTariff(file_prices, test_routes) },
    costing_carriers: new Map(routes.map((route) => [route.name, costingCarriers(route)])),
    whatsapp: makeWhatsappRules(
      { db },
      carriersOfKind(carriers, 'whatsapp_cloud'),
      routes.map((route) => ({ name: route.name, carriers: carriersOf(route), number: route.number })),
      carriersOfKind(carriers, 'simulator'),
    ),
    carriersOf(name: string): readonly string[] {
      const found = routes.find((route) => route.name === name)
      return found ? carriersOf(found) : []
    },
    channelOf: (name: string) => routes.find((route) => route.name === name)?.channel,
    probe_network: probeNetworkOf(carriers),
    /** Vendors that learn which one-time passwords were verified. */
    feedback_carriers: new Set(carriersOfKind(carriers, 'http').flatMap((one) => (one.feedback ? [one.name] : []))),
    status: databaseSubject({ ...config, settings }, db),
    route_queues: [
      ...routes.flatMap((route) => routeQueues(route.name, carriersOf(route))),
      ...[TEST_ROUTE, ...REFUSING_ROUTES].map(routeQueue),
    ],
    installation: {
      routes,
      prices,
      vendors: settings.airtime.vendors.map(({ name, kind }) => ({ name, kind })),
    },
  }
}

/** The accounts at WhatsApp that messages are sent from, each as its first number. */
export function whatsappAccounts({ carriers, routes }: Pick<Settings, 'carriers' | 'routes'>): WhatsappSettings[] {
  const sends_from = routes.filter(({ channel }) => channel === 'whatsapp').flatMap(carriersOf)
  return carriersOfKind(carriers, 'whatsapp_cloud').filter(
    ({ name, account }) => name === account && sends_from.includes(name),
  )
}

/** Test organisations have the prices of the live one. */
export function makeTariffOf(price_lists: PriceLists, costs: Costs, meters: Meters, routing: Routing): TariffOf {
  const guarding = {
    costs,
    carriersOf: (route: string) => routing.costing_carriers.get(route),
    note: (action: string) => meters.below_cost.inc({ action }),
  }
  return ({ mode, price_list_id }) => {
    const withPrices = (list: Awaited<ReturnType<PriceLists['pricesOf']>>) =>
      list
        ? guardCosts(guarding, makeTariff(list, routing.route_tables[mode]), price_lists.belowCostOf(price_list_id))
        : routing.file_tariffs[mode]
    const list = price_lists.pricesOf(price_list_id)
    return list instanceof Promise ? list.then(withPrices) : withPrices(list)
  }
}
