import type { Channel } from '../../carriers/message-carrier.ts'
import type { Origin } from '../../numbers/prefix-table.ts'
import { moneyFromNumber } from '../../values/money.ts'
import { ONE_PAGE, STANDARD_PAGES, type PageForm } from '../../values/sms/page-form.ts'
import type { PriceSettings, RouteClass, RouteSettings } from '../settings.ts'

/** Facts about a recipient: the current operator, where it is not that of the prefix. */
export type Addressee = { operator?: string | undefined; route_class?: RouteClass | undefined }

/** Price per page, route and page size of messages to a number. */
export type Tariff = {
  price: Match<bigint>
  route: Match<string>
  /** The page size on a route is that of its first carrier. */
  pageForm: (channel: Channel, route: string | undefined) => PageForm
  /** Whether a price or route of the channel names an operator, so that ported numbers matter. */
  namesOperator: (channel: Channel) => boolean
}

/** The fields of a route that decide its messages and their page size; without a form, standard pages. */
type RouteLine = Pick<RouteSettings, 'name' | 'channel' | 'prefix' | 'country' | 'operator' | 'class'> & {
  page_form?: PageForm
}

type Match<V> = (channel: Channel, recipient: string, who?: Addressee) => V | undefined

export function makeTariff(
  prices: readonly PriceSettings[],
  routes: readonly RouteLine[],
  originOf: (msisdn: string) => Origin,
): Tariff {
  const price = closestMatch(prices, (rule) => moneyFromNumber(rule.price) ?? 0n, originOf)
  const ofClass = (wanted: RouteClass) =>
    routes.filter((rule) => rule.class === wanted).map(({ class: _chosen_already, ...rule }) => rule)
  const transactional = closestMatch(ofClass('transactional'), ({ name }) => name, originOf)
  const promotional = closestMatch(ofClass('promotional'), ({ name }) => name, originOf)
  const operator_channels = new Set([...prices, ...routes].flatMap((rule) => (rule.operator ? [rule.channel] : [])))
  const page_forms = new Map(routes.map(({ name, page_form }) => [name, page_form]))
  return {
    price,
    // Without a promotional route promotional messages take the transactional one, but not vice versa.
    route: (channel, recipient, who) =>
      (who?.route_class === 'promotional' ? promotional(channel, recipient, who) : undefined) ??
      transactional(channel, recipient, who),
    pageForm: (channel, route = '') => (channel === 'whatsapp' ? ONE_PAGE : page_forms.get(route)) ?? STANDARD_PAGES,
    namesOperator: (channel) => operator_channels.has(channel),
  }
}

/** Test organisations have the same prices, but one route, to the simulator. */
export function onlyRoute(tariff: Tariff, route: string): Tariff {
  return { ...tariff, route: () => route }
}

type Rule = { channel: Channel; prefix: string; country?: string; operator?: string; class?: RouteClass }
type Candidate<V> = {
  operator: string | undefined
  country: string | undefined
  class: RouteClass | undefined
  value: V
}

/**
 * Finds the most specific rule: the longest prefix; then one that names the operator, the country, the class; of equals the
 * later. Rules are looked up by prefix, so the cost per recipient grows with the number of prefix lengths, not of rules.
 */
function closestMatch<L extends Rule, V>(
  rules: readonly L[],
  valueOf: (rule: L) => V,
  originOf: (msisdn: string) => Origin,
): Match<V> {
  const tables = new Map<Channel, { lengths: number[]; candidates: Map<string, Candidate<V>[]> }>()
  for (const rule of rules) {
    const table = tables.get(rule.channel) ?? { lengths: [], candidates: new Map<string, Candidate<V>[]>() }
    tables.set(rule.channel, table)
    const { country, class: route_class } = rule
    const own = { operator: rule.operator?.toLowerCase(), country, class: route_class, value: valueOf(rule) }
    const alike = [own, ...(table.candidates.get(rule.prefix) ?? [])]
    table.candidates.set(
      rule.prefix,
      alike.sort((a, b) => closeness(b) - closeness(a)),
    )
    table.lengths = [...new Set([...table.lengths, rule.prefix.length])].sort((a, b) => b - a)
  }
  return (channel, recipient, who = {}) => {
    const table = tables.get(channel)
    for (const length of table?.lengths ?? []) {
      const candidates = table?.candidates.get(recipient.slice(0, length))
      const fitting = candidates?.find((one) => fits(one, recipient, who, originOf))
      if (fitting) return fitting.value
    }
    return undefined
  }
}

function closeness({ operator, country, class: route_class }: Candidate<unknown>): number {
  return (operator ? 4 : 0) + (country ? 2 : 0) + (route_class ? 1 : 0)
}

function fits(
  rule: Candidate<unknown>,
  recipient: string,
  who: Addressee,
  originOf: (msisdn: string) => Origin,
): boolean {
  if (rule.class !== undefined && rule.class !== (who.route_class ?? 'transactional')) return false
  if (rule.country !== undefined && rule.country !== originOf(recipient).country) return false
  if (rule.operator === undefined) return true
  return rule.operator === (who.operator ?? originOf(recipient).operator).toLowerCase()
}
