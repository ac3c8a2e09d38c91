import { array, assert, constantFrom, integer, option, property, record } from 'fast-check'
import { expect, test } from 'vitest'
import { costOf } from '../carriers/costs.ts'
import { costsBy } from './carrier-costs.ts'
import { makeCompiler } from './compile.ts'
import { targetText } from './rule.ts'
import type { CurrentRule } from './rule-store.ts'

const ORIGINS = [
  { country: 'NG', operator: 'MTN' },
  { country: 'KE', operator: 'Airtel' },
]
const originOf = (msisdn: string) => ORIGINS[Number(msisdn.at(-1)) % 2]!

const READ_MS = 1_000_000
const price = option(
  integer({ min: 1, max: 9 }).map((n) => BigInt(n)),
  { nil: null },
)
const rule = record({
  channel: constantFrom('sms' as const, 'whatsapp' as const),
  prefix: constantFrom('', '1', '12'),
  country: option(constantFrom('NG', 'KE')),
  operator: option(constantFrom('MTN', 'Airtel')),
  route_class: option(constantFrom('transactional' as const, 'promotional' as const)),
  price,
  /** Seconds from the moment of reading; up to 0: it applies. */
  from_s: integer({ min: -2, max: 4 }),
})
const question = record({
  recipient: integer({ min: 1, max: 139 }).map(String),
  route_class: constantFrom('transactional' as const, 'promotional' as const),
  at_s: integer({ min: 0, max: 5 }),
})

type Rule = Pick<CurrentRule, 'channel' | 'prefix' | 'country' | 'operator' | 'route_class' | 'price'> & {
  from_s: number
}

const textOf = ({ channel, prefix, country, operator, route_class }: Rule): string =>
  targetText({
    channel,
    prefix,
    country: country ?? undefined,
    operator: operator ?? undefined,
    route_class: route_class ?? undefined,
  })

/** One rule per target and moment, and of those that have begun the latest, as the database returns them. */
function current(rules: readonly Rule[]): Rule[] {
  const by_key = new Map(rules.map((one) => [`${textOf(one)} ${Math.max(one.from_s, 0)}`, one]))
  return [...by_key.values()]
    .filter((one) => one.from_s > 0 || one.price !== null)
    .toSorted((a, b) => (textOf(a) < textOf(b) ? -1 : textOf(a) > textOf(b) ? 1 : a.from_s - b.from_s))
}

/** By its definition: of each target the rule in force, then the most specific of those that apply. */
function naive(rules: readonly Rule[], recipient: string, route_class: string, at_s: number): bigint | undefined {
  const { country, operator } = originOf(recipient)
  const closeness = (one: Rule): number =>
    one.prefix.length * 8 + (one.operator ? 4 : 0) + (one.country ? 2 : 0) + (one.route_class ? 1 : 0)
  const in_force = rules.filter(
    (one) =>
      one.from_s <= at_s &&
      !rules.some((later) => textOf(later) === textOf(one) && later.from_s <= at_s && later.from_s > one.from_s),
  )
  const fitting = in_force.filter(
    (one) =>
      one.channel === 'sms' &&
      one.price !== null &&
      recipient.startsWith(one.prefix) &&
      (one.country === null || one.country === country) &&
      (one.operator === null || one.operator === operator) &&
      (one.route_class === null || one.route_class === route_class),
  )
  return fitting.toSorted((a, b) => closeness(b) - closeness(a))[0]?.price ?? undefined
}

function compiled(rules: readonly Rule[], now: () => number) {
  const compiler = makeCompiler(originOf, now)
  for (const [n, one] of rules.entries()) {
    const { from_s, ...fields } = one
    const row = { ...fields, id: String(n), target: textOf(one), mcc_mnc: null, valid_from: '', from_ms: 0 }
    compiler.add({ ...row, for_s: -from_s }, READ_MS)
  }
  return compiler.finish()
}

test('the rule in force decides, at any time, without a reload', () => {
  assert(
    property(array(rule, { maxLength: 25 }), array(question, { maxLength: 25 }), (given, questions) => {
      const rules = current(given)
      let now = READ_MS
      const list = compiled(rules, () => now)
      expect(list.rules).toBe(rules.length)
      for (const { recipient, route_class, at_s } of questions) {
        now = READ_MS + 1_000 * at_s
        const found = list.price('sms', recipient, { route_class })
        expect(found?.per_page).toBe(naive(rules, recipient, route_class, at_s))
        expect(rules[found?.price_rule_id ?? -1]?.price).toBe(found?.per_page)
      }
    }),
  )
})

const submission = record({
  recipient: integer({ min: 1, max: 139 }).map(String),
  promotional: option(constantFrom(true, false), { nil: undefined }),
  pages: integer({ min: 1, max: 10 }),
  /** Segments that the answer names, and the cost that it states. */
  segments: integer({ min: 0, max: 4 }),
  answered: option(integer({ min: 0, max: 9 }).map((n) => BigInt(n))),
})

test('a delivery costs what the rule of the cost list says, for each segment, or what the answer states', () => {
  const billed_on = constantFrom('submitted' as const, 'delivered' as const)
  const assignment = record({ billed_on, use_answers: constantFrom(true, false) })
  assert(
    property(array(rule, { maxLength: 25 }), assignment, array(submission), (given, assigned, submissions) => {
      const rules = current(given)
      const costs = costsBy(
        compiled(rules, () => READ_MS),
        assigned,
      )
      for (const { recipient, promotional, pages, segments, answered } of submissions) {
        const ids = Array.from({ length: segments }, (_, n) => String(n))
        const billed = { recipient, channel: 'sms' as const, pages, promotional }
        const found = costOf(costs, billed, { ids, cost: answered ?? undefined })
        const per_page = naive(rules, recipient, promotional ? 'promotional' : 'transactional', 0)
        const by_list = per_page === undefined ? undefined : per_page * BigInt(segments > 1 ? segments : pages)
        expect(found?.cost).toBe(assigned.use_answers ? (answered ?? by_list) : by_list)
        expect(found?.if_delivered ?? null).toBe(found ? assigned.billed_on === 'delivered' : null)
      }
    }),
  )
})
