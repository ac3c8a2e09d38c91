import type { Channel } from '../carriers/message-carrier.ts'
import type { Db } from '../db/connect.ts'
import type { PriceSettings } from '../messaging/settings.ts'
import type { Origin } from '../numbers/prefix-table.ts'
import { findRules, listInForce, type ChargedRule, type Place } from '../prices/in-force-store.ts'
import type { RuleRow } from '../prices/rule-store.ts'
import { targetText, type RuleTarget } from '../prices/rule.ts'
import { findWinner, weighOthers, type Addressed } from '../prices/weigh.ts'
import { forOperators, type Viewer } from '../users/viewer.ts'
import { groupBy } from '../values/group.ts'
import { moneyFromNumber, moneyToNumber } from '../values/money.ts'
import { present } from '../values/record.ts'
import { MAX_NAMED, type ExplainedPrice, type ExplainedRule } from './schema.ts'

export type Charged = {
  /** Undefined: the person was erased. */
  number: string | undefined
  /** On which it is sent, which may be SMS for a message on WhatsApp. */
  channel: Channel
  charge: bigint
  pages: number
  /** The rule that it was charged by; null: a price of the configuration file. */
  price_rule_id: string | null
  /** The class that it was priced by, where that is known. */
  route_class: RuleTarget['route_class']
  /** The operator of the number when it was priced, where that is known. */
  operator: string | undefined
  /** It was refused before it was priced. */
  is_refused: boolean
}

type PriceDeps = { db: Db; originOf: (msisdn: string) => Origin; file_prices: readonly PriceSettings[] }

/** The price of each delivery with its rule, and why the rules beside it did not apply at that moment; null: now. */
export async function explainPrices(
  { db, originOf, file_prices }: PriceDeps,
  charged: readonly Charged[],
  { at, viewer }: { at: string | null; viewer: Viewer },
): Promise<ExplainedPrice[]> {
  const ids = new Set(charged.flatMap(({ price_rule_id }) => price_rule_id ?? []))
  const rules = new Map((await findRules(db, [...ids])).map((rule) => [rule.id, rule]))
  const ruleOf = ({ price_rule_id }: Charged) => (price_rule_id === null ? undefined : rules.get(price_rule_id))
  const lists = new Map<string, RuleRow[]>()
  for (const [id, own] of groupBy(charged, (one) => ruleOf(one)?.price_list_id)) {
    if (id !== undefined) lists.set(id, await listInForce(db, id, placesOf(own, originOf), at))
  }
  return charged.map((one) => {
    const price = { charge: moneyToNumber(one.charge), price: moneyToNumber(one.charge / BigInt(one.pages)) }
    if (one.is_refused) return { ...price, source: 'none', other_rules: [] }
    const message = addressed(one, originOf)
    if (one.price_rule_id === null) return { ...price, ...inFile(file_prices, one, message) }
    const rule = ruleOf(one)
    if (!rule) return { ...price, source: 'price_list', other_rules: [] }
    return { ...price, ...inList(rule, lists.get(rule.price_list_id) ?? [], message, viewer) }
  })
}

/** Where rules for these numbers may be: each beginning of a number, with its country and with none. */
function placesOf(charged: readonly Charged[], originOf: PriceDeps['originOf']): Place[] {
  const places = new Map<string, Place>()
  for (const { number, channel } of charged) {
    if (number === undefined) continue
    const { country } = originOf(number)
    for (let length = 0; length <= number.length; length += 1) {
      const prefix = number.slice(0, length)
      for (const named of country === '' ? [null] : [null, country]) {
        places.set(`${channel} ${prefix} ${named}`, { channel, prefix, country: named })
      }
    }
  }
  return [...places.values()]
}

type Explained = Omit<ExplainedPrice, 'charge' | 'price'>

function inList(
  rule: ChargedRule,
  in_force: readonly RuleRow[],
  message: Addressed | undefined,
  viewer: Viewer,
): Explained {
  const target = targetOf(rule)
  const named: Explained = {
    source: 'price_list',
    ...forOperators(viewer, { price_list: rule.list_name, rule_id: Number(rule.id) }),
    rule: shownRow(rule),
    other_rules: [],
  }
  if (!message) return named
  // What the rule names is what the message had.
  const priced = {
    ...message,
    channel: rule.channel,
    ...present('operator', target.operator ?? message.operator),
    ...present('route_class', target.route_class ?? message.route_class),
  }
  const others = in_force.filter(({ id }) => id !== rule.id).map((row) => ({ ...targetOf(row), row }))
  return {
    ...named,
    other_rules: weighOthers(others, target, priced)
      .slice(0, MAX_NAMED)
      .map(({ rule: { row }, result }) => ({ ...shownRow(row), result })),
  }
}

/**
 * The file has no history. A line of it is named only if, whatever is not known about the message, it is the one that applies
 * at present and it has the price that was charged.
 */
function inFile(file_prices: readonly PriceSettings[], charged: Charged, message: Addressed | undefined): Explained {
  if (!message) return { source: 'file', other_rules: [] }
  const lines = new Map(
    file_prices.map(({ class: route_class, ...line }) => {
      const rule = { ...line, route_class }
      return [targetText(rule), rule]
    }),
  )
  const own = [...lines.values()]
  const classes = charged.route_class ? [charged.route_class] : (['transactional', 'promotional'] as const)
  const winners = new Set(classes.map((route_class) => findWinner(own, { ...message, route_class })))
  const possible = [...winners].filter((line) => line && moneyFromNumber(line.price) === perPage(charged))
  const [line] = possible
  if (!line || possible.length > 1) return { source: 'file', other_rules: [] }
  const rest = own.filter((one) => one !== line)
  return {
    source: 'file',
    rule: shownLine(line),
    other_rules: weighOthers(rest, line, message)
      .slice(0, MAX_NAMED)
      .map(({ rule, result }) => ({ ...shownLine(rule), result })),
  }
}

/** What the rules are compared with; undefined: its number is not known any more. */
function addressed(
  { channel, number, operator, route_class }: Charged,
  originOf: PriceDeps['originOf'],
): Addressed | undefined {
  if (number === undefined) return undefined
  return { channel, recipient: number, country: originOf(number).country, operator, route_class }
}

function perPage({ charge, pages }: Charged): bigint {
  return charge / BigInt(pages)
}

function targetOf({ channel, prefix, country, operator, route_class }: RuleRow): RuleTarget {
  return {
    channel,
    prefix,
    country: country ?? undefined,
    operator: operator ?? undefined,
    route_class: route_class ?? undefined,
  }
}

export function shownTarget({ channel, prefix, country, operator, route_class }: RuleTarget): ExplainedRule {
  return {
    channel,
    prefix,
    ...present('country', country),
    ...present('operator', operator),
    ...present('route_class', route_class),
  }
}

function shownRow(row: RuleRow) {
  return { ...shownTarget(targetOf(row)), price: moneyToNumber(row.price ?? 0n), valid_from: row.valid_from }
}

function shownLine({ price, ...line }: RuleTarget & { price: number }) {
  return { ...shownTarget(line), price }
}
