import { makeClosestMatch } from '../numbers/closest-match.ts'
import type { Origin } from '../numbers/prefix-table.ts'
import type { Channel } from '../carriers/message-carrier.ts'
import type { CurrentRule } from './rule-store.ts'

/** A price list in memory. */
export type CompiledList = {
  rules: number
  price: (channel: Channel, recipient: string, who?: Facts) => bigint | undefined
  namesOperator: (channel: Channel) => boolean
}

type Facts = { operator?: string | undefined; route_class?: 'transactional' | 'promotional' | undefined }

/** The prices of a target, in the order of their times; most targets have one price and no times. */
type Prices = bigint | { from_ms: number; price: bigint | null }[]

/** Builds a list from its rules, in batches; those of one target come in the order of their times. */
export function makeCompiler(originOf: (msisdn: string) => Origin, now: () => number = Date.now) {
  const match = makeClosestMatch<Prices, bigint>(originOf, (prices) =>
    typeof prices === 'bigint' ? prices : (prices.findLast(({ from_ms }) => from_ms <= now())?.price ?? undefined),
  )
  let rules = 0
  return {
    /** `read_ms`: when the rule was read. */
    add({ price, for_s, channel, prefix, ...rule }: CurrentRule, read_ms: number): void {
      rules += 1
      const { country, operator, route_class } = rule
      const target = {
        channel,
        prefix,
        country: country ?? undefined,
        operator: operator ?? undefined,
        class: route_class ?? undefined,
      }
      const known = match.get(target)
      if (known === undefined && for_s >= 0 && price !== null) return match.add(target, price)
      const before = typeof known === 'bigint' ? [{ from_ms: -Infinity, price: known }] : (known ?? [])
      match.add(target, [...before, { from_ms: for_s >= 0 ? -Infinity : read_ms - 1_000 * for_s, price }])
    },
    finish: (): CompiledList => ({ rules, price: match.find, namesOperator: match.namesOperator }),
  }
}
