import { array, assert, constantFrom, integer, option, property, record, uniqueArray } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { makePriceTable } from '../messaging/compose/tariff.ts'
import { makeCompiler } from './compile.ts'
import { targetText, type RuleTarget } from './rule.ts'
import { findWinner, weighOthers, type Addressed } from './weigh.ts'

const ORIGINS = [
  { country: 'NG', operator: 'MTN' },
  { country: 'KE', operator: 'Airtel' },
  { country: '', operator: '' },
]
const originOf = (msisdn: string) => ORIGINS[Number(msisdn.at(-1)) % 3]!

const CLASSES = ['transactional', 'promotional'] as const
const rule = record({
  channel: constantFrom('sms' as const, 'whatsapp' as const),
  prefix: constantFrom('', '1', '12', '123'),
  country: option(constantFrom('NG', 'KE'), { nil: undefined }),
  operator: option(constantFrom('MTN', 'mtn', 'Airtel'), { nil: undefined }),
  route_class: option(constantFrom(...CLASSES), { nil: undefined }),
  price: integer({ min: 0, max: 9 }),
})
const rules = uniqueArray(rule, { maxLength: 25, selector: targetText })
const message = record({
  channel: constantFrom('sms' as const, 'whatsapp' as const),
  recipient: integer({ min: 1, max: 1_239 }).map(String),
  ported_to: option(constantFrom('MTN', 'Airtel'), { nil: undefined }),
  route_class: constantFrom(...CLASSES),
})

type Rule = RuleTarget & { price: number }

/** The list as it charges, from rules whose ids are their places. */
function compiled(given: readonly Rule[]) {
  const compiler = makeCompiler(originOf)
  for (const [n, { price, country = null, operator = null, route_class = null, ...rest }] of given.entries()) {
    const named = { country, operator, route_class, mcc_mnc: null, price: BigInt(price) }
    const target = targetText(given[n]!)
    compiler.add({ ...rest, ...named, id: String(n), target, valid_from: '', from_ms: 0, for_s: 1 }, 0)
  }
  return compiler.finish()
}

describe('the rule that an explanation names', () => {
  test('is the one that charges, of a price list', () => {
    assert(
      property(rules, array(message, { maxLength: 25 }), (given, messages) => {
        const list = compiled(given)
        for (const { channel, recipient, ported_to, route_class } of messages) {
          const { country, operator } = originOf(recipient)
          const charged = list.price(channel, recipient, { operator: ported_to, route_class })
          const about = { channel, recipient, country, operator: ported_to ?? operator, route_class }
          const found = findWinner(given, about)
          expect(found && given.indexOf(found)).toBe(charged?.price_rule_id)
        }
      }),
    )
  })

  test('is the one that charges, of the configuration file', () => {
    assert(
      property(rules, message, (given, { channel, recipient, ported_to, route_class }) => {
        const { country, operator } = originOf(recipient)
        const file = given.map(({ route_class: own, ...line }) => ({ ...line, class: own }))
        const lines = file.map(({ country: c, operator: o, class: own, ...line }) => ({
          ...line,
          ...(c === undefined ? {} : { country: c }),
          ...(o === undefined ? {} : { operator: o }),
          ...(own === undefined ? {} : { class: own }),
        }))
        const charged = makePriceTable(lines, originOf).price(channel, recipient, { operator: ported_to, route_class })
        const about = { channel, recipient, country, operator: ported_to ?? operator, route_class }
        const found = findWinner(given, about)
        expect(found && BigInt(found.price) * 10_000n).toEqual(charged?.per_page)
      }),
    )
  })
})

describe('every other rule for the number', () => {
  /** What is known later: only what the charged rule names. */
  function later(winner: RuleTarget, { channel, recipient, country }: Addressed): Addressed {
    return { channel, recipient, country, operator: winner.operator, route_class: winner.route_class }
  }

  test('has a reason that is true of the message, also when its operator and class are not known any more', () => {
    assert(
      property(rules, message, (given, { channel, recipient, ported_to, route_class }) => {
        const { country, operator } = originOf(recipient)
        const about = { channel, recipient, country, operator: ported_to ?? operator, route_class }
        const winner = findWinner(given, about)
        if (!winner) return
        const others = given.filter((one) => one !== winner)
        for (const { rule: other, result } of weighOthers(others, winner, later(winner, about))) {
          const differs = {
            operator: other.operator !== undefined && other.operator.toLowerCase() !== about.operator.toLowerCase(),
            class: other.route_class !== undefined && other.route_class !== route_class,
          }
          const is_true = {
            less_specific: !differs.operator && !differs.class,
            other_operator: differs.operator,
            other_class: differs.class,
            other_operator_or_class: differs.operator || differs.class,
            unknown: false,
          }
          expect([other, result, is_true[result]]).toEqual([other, result, true])
        }
      }),
    )
  })

  test('is listed, most specific first, where its reason is known', () => {
    const line = (prefix: string, more: Partial<Rule> = {}): Rule => ({ channel: 'sms', prefix, price: 1, ...more })
    const winner = line('234', { country: 'NG' })
    const others = [
      line(''),
      line('234803', { operator: 'Glo' }),
      line('234', { country: 'NG', route_class: 'promotional' }),
      line('234', { country: 'NG', operator: 'MTN', route_class: 'promotional' }),
      line('', { operator: 'MTN' }),
      line('254'),
      line('234', { channel: 'whatsapp' }),
    ]
    const about = { channel: 'sms', recipient: '2348031234567', country: 'NG' } as const
    expect(weighOthers(others, winner, about).map(({ rule: { prefix }, result }) => [prefix, result])).toEqual([
      ['234803', 'other_operator'],
      ['234', 'other_operator_or_class'],
      ['234', 'other_class'],
      ['', 'less_specific'],
    ])
  })
})
