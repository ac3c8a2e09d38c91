import { array, assert, constantFrom, integer, option, property, record } from 'fast-check'
import { expect, test } from 'vitest'
import { makeClosestMatch, type MatchFacts, type MatchRule } from './closest-match.ts'

const ORIGINS = [
  { country: 'NG', operator: 'MTN' },
  { country: 'NG', operator: 'Glo' },
  { country: 'KE', operator: 'Airtel' },
  { country: '', operator: '' },
]
/** By the last digit, so that rules of every kind meet the same numbers. */
const originOf = (msisdn: string) => ORIGINS[Number(msisdn.at(-1)) % ORIGINS.length]!

const rule = record({
  channel: constantFrom('sms', 'whatsapp'),
  prefix: constantFrom('', '1', '12', '123', '2', '21'),
  country: option(constantFrom('NG', 'KE'), { nil: undefined }),
  operator: option(constantFrom('MTN', 'mtn', 'Glo', 'Airtel'), { nil: undefined }),
  class: option(constantFrom('transactional', 'promotional'), { nil: undefined }),
  /** A negative value does not apply. */
  value: integer({ min: -3, max: 9 }),
})
const question = record({
  channel: constantFrom('sms', 'whatsapp', 'fax'),
  recipient: integer({ min: 1, max: 12_399 }).map(String),
  operator: option(constantFrom('MTN', 'glo', 'Other'), { nil: undefined }),
  route_class: option(constantFrom('transactional', 'promotional'), { nil: undefined }),
})

type Valued = MatchRule & { value: number }

/** By its definition: of all rules that apply the most specific, of equals the last. */
function naive(rules: readonly Valued[], channel: string, recipient: string, facts: MatchFacts): number | undefined {
  const { country, operator } = originOf(recipient)
  const same = (a: Valued, b: Valued): boolean =>
    a.channel === b.channel &&
    a.prefix === b.prefix &&
    a.country === b.country &&
    a.operator?.toLowerCase() === b.operator?.toLowerCase() &&
    a.class === b.class
  const closeness = (one: Valued): number =>
    one.prefix.length * 8 + (one.operator ? 4 : 0) + (one.country ? 2 : 0) + (one.class ? 1 : 0)
  return rules
    .filter((one, n) => !rules.slice(n + 1).some((later) => same(one, later)))
    .filter(
      (one) =>
        one.value >= 0 &&
        one.channel === channel &&
        recipient.startsWith(one.prefix) &&
        (one.country === undefined || one.country === country) &&
        (one.operator === undefined || one.operator.toLowerCase() === (facts.operator ?? operator).toLowerCase()) &&
        (one.class === undefined || one.class === (facts.route_class ?? 'transactional')),
    )
    .toSorted((a, b) => closeness(b) - closeness(a))[0]?.value
}

test('finds what a scan of all rules finds', () => {
  assert(
    property(array(rule, { maxLength: 30 }), array(question, { maxLength: 30 }), (rules, questions) => {
      const match = makeClosestMatch<number, number>(originOf, (value) => (value < 0 ? undefined : value))
      for (const one of rules) match.add(one, one.value)
      for (const { channel, recipient, ...facts } of questions) {
        expect(match.find(channel, recipient, facts)).toBe(naive(rules, channel, recipient, facts))
      }
      for (const channel of ['sms', 'whatsapp', 'fax']) {
        const names = rules.some((one) => one.channel === channel && one.operator !== undefined)
        expect(match.namesOperator(channel)).toBe(names)
      }
    }),
  )
})
