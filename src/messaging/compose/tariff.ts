import type { Channel } from '../../carriers/message-carrier.ts'
import { makeClosestMatch } from '../../numbers/closest-match.ts'
import type { Origin } from '../../numbers/prefix-table.ts'
import { moneyFromNumber } from '../../values/money.ts'
import { ONE_PAGE, STANDARD_PAGES, type PageForm } from '../../values/sms/page-form.ts'
import type { Sender } from '../draft.ts'
import type { PriceSettings, RouteClass, RouteSettings } from '../settings.ts'

/** Facts about a recipient: the current operator, where it is not that of the prefix. */
export type Addressee = { operator?: string | undefined; route_class?: RouteClass | undefined }

/** Price per page, route and page size of messages to a number. */
export type Tariff = PriceTable &
  Pick<RouteTable, 'route' | 'pageForm'> & {
    /** Whether a price or route of the channel names an operator, so that ported numbers matter. */
    namesOperator: (channel: Channel) => boolean
  }

/** A promise only if the price list of the sender has to be loaded. */
export type TariffOf = (sender: Pick<Sender, 'mode' | 'price_list_id'>) => Tariff | Promise<Tariff>

/** The prices of a price list. */
export type PriceTable = { price: Match<ListedPrice>; namesOperator: (channel: Channel) => boolean }

/** A price per page, and the rule of a price list that it comes from; null: the configuration file. */
export type ListedPrice = { per_page: bigint; price_rule_id: number | null }

export type RouteTable = {
  route: Match<string>
  /** The page size on a route is that of its first carrier. */
  pageForm: (channel: Channel, route: string | undefined) => PageForm
  namesOperator: (channel: Channel) => boolean
}

/** The fields of a route that decide its messages and their page size; without a form, standard pages. */
type RouteLine = Pick<RouteSettings, 'name' | 'channel' | 'prefix' | 'country' | 'operator' | 'class'> & {
  page_form?: PageForm
}

type Match<V> = (channel: Channel, recipient: string, who?: Addressee) => V | undefined
type OriginOf = (msisdn: string) => Origin

export function makeTariff(prices: PriceTable, routes: RouteTable): Tariff {
  return {
    price: prices.price,
    route: routes.route,
    pageForm: routes.pageForm,
    namesOperator: (channel) => prices.namesOperator(channel) || routes.namesOperator(channel),
  }
}

/** The prices of the configuration file; of two for the same, the later one applies. */
export function makePriceTable(prices: readonly PriceSettings[], originOf: OriginOf): PriceTable {
  const match = makeClosestMatch<ListedPrice, ListedPrice>(originOf, (price) => price)
  for (const rule of prices) match.add(rule, { per_page: moneyFromNumber(rule.price) ?? 0n, price_rule_id: null })
  return { price: match.find, namesOperator: match.namesOperator }
}

export function makeRouteTable(routes: readonly RouteLine[], originOf: OriginOf): RouteTable {
  const transactional = makeClosestMatch<string, string>(originOf, (name) => name)
  const promotional = makeClosestMatch<string, string>(originOf, (name) => name)
  for (const { class: route_class, ...rule } of routes) {
    const own = route_class === 'promotional' ? promotional : transactional
    own.add(rule, rule.name)
  }
  const page_forms = new Map(routes.map(({ name, page_form }) => [name, page_form]))
  return {
    // Without a promotional route promotional messages take the transactional one, but not vice versa.
    route: (channel, recipient, who) =>
      (who?.route_class === 'promotional' ? promotional.find(channel, recipient, who) : undefined) ??
      transactional.find(channel, recipient, who),
    pageForm: (channel, route = '') => (channel === 'whatsapp' ? ONE_PAGE : page_forms.get(route)) ?? STANDARD_PAGES,
    namesOperator: (channel) => promotional.namesOperator(channel) || transactional.namesOperator(channel),
  }
}

/** Test organisations have the same prices, but one route, to the simulator. */
export function onlyRoute(routes: RouteTable, route: string): RouteTable {
  return { ...routes, route: () => route }
}
