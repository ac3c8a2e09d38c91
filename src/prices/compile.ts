import { makeClosestMatch } from '../numbers/closest-match.ts'
import type { Origin } from '../numbers/prefix-table.ts'
import type { Channel } from '../carriers/message-carrier.ts'
import type { CurrentRule } from './rule-store.ts'

/** A price list in memory. */
export type CompiledList = {
  rules: number
  price: (channel: Channel, recipient: string, who?: Facts) => RulePrice | undefined
  namesOperator: (channel: Channel) => boolean
}

type Facts = { operator?: string | undefined; route_class?: 'transactional' | 'promotional' | undefined }

/** A price per page, and the id of its rule. */
export type RulePrice = { per_page: bigint; price_rule_id: number }

/** The prices of a target, in the order of their times; most targets have one price and no times. */
type Prices = RulePrice | { from_ms: number; price: RulePrice | undefined }[]

/** Builds a list from its rules, in batches; those of one target come in the order of their times. */
export function makeCompiler(originOf: (msisdn: string) => Origin, now: () => number = Date.now) {
  const match = makeClosestMatch<Prices, RulePrice>(originOf, (prices) =>
    Array.isArray(prices) ? prices.findLast(({ from_ms }) => from_ms <= now())?.price : prices,
  )
  let rules = 0
  return {
    /** `read_ms`: when the rule was read. */
    add({ id, price: per_page, for_s, channel, prefix, ...rule }: CurrentRule, read_ms: number): void {
      rules += 1
      const { country, operator, route_class } = rule
      const target = {
        channel,
        prefix,
        country: country ?? undefined,
        operator: operator ?? undefined,
        class: route_class ?? undefined,
      }
      const price = per_page === null ? undefined : { per_page, price_rule_id: Number(id) }
      const known = match.get(target)
      if (known === undefined && for_s >= 0 && price) return match.add(target, price)
      const before = Array.isArray(known) ? known : known ? [{ from_ms: -Infinity, price: known }] : []
      match.add(target, [...before, { from_ms: for_s >= 0 ? -Infinity : read_ms - 1_000 * for_s, price }])
    },
    finish: (): CompiledList => ({ rules, price: match.find, namesOperator: match.namesOperator }),
  }
}
