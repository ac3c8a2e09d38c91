import { expect, test } from 'vitest'
import { checkScenario } from '../scenario/read.ts'
import { makePeople, type Reaction } from './people.ts'

const operators = [{ name: 'Red', prefixes: ['234'] }]
const numbers = Array.from({ length: 5_000 }, (_, n) => `234${n}`)

function peopleOf(people: object, seed = 3) {
  return makePeople(checkScenario({ seed, operators, carriers: [{ name: 'one' }], people }))
}

const shareOf = (reactions: Reaction[][]) => reactions.filter(({ length }) => length > 0).length / reactions.length

test('as many people as the scenario says enter the token of a text, after a while', () => {
  const react = peopleOf({ otp: { enter: 0.8, mistype: 0.1, after: { median: '10s', p95: '40s' } } })
  const reactions = numbers.map((number) => react(number, 'Your code is 048213, valid for 5 min.', 0))
  expect(shareOf(reactions)).toBeCloseTo(0.8, 1)
  const entries = reactions.flat().filter((reaction) => reaction.kind === 'enter')
  expect(new Set(entries.map(({ token }) => token))).toEqual(new Set(['048213']))
  expect(entries.filter(({ mistypes }) => mistypes).length / entries.length).toBeCloseTo(0.1, 1)
  expect(entries.filter(({ after_ms }) => after_ms < 10_000).length / entries.length).toBeCloseTo(0.5, 1)
  expect(numbers.flatMap((number) => react(number, 'No token here: 12', 0))).toEqual([])
})

test('a pattern with a group names the token', () => {
  const react = peopleOf({ otp: { enter: 1, pattern: 'code: (\\w+)' } })
  expect(react('2341', 'Order 123456, code: AB12', 0)).toMatchObject([{ kind: 'enter', token: 'AB12' }])
})

test('what a person does depends on seed, number and count of texts only', () => {
  const people = { otp: { enter: 0.5 } }
  const first = numbers.map((number) => peopleOf(people)(number, '1234', 0))
  const react = peopleOf(people)
  expect(numbers.toReversed().map((number) => react(number, '1234', 0))).toEqual(first.toReversed())
  expect(numbers.map((number) => react(number, '1234', 1))).not.toEqual(first)
  expect(numbers.map((number) => peopleOf(people, 4)(number, '1234', 0))).not.toEqual(first)
})

test('people answer texts that match a pattern', () => {
  const answers = [
    { pattern: 'STOP', share: 0.1, text: 'STOP', after: { median: '1m' } },
    { pattern: '\\?$', share: 1, text: 'yes' },
  ]
  const react = peopleOf({ answers })
  const reactions = numbers.map((number) => react(number, 'Reply STOP to opt out', 0))
  expect(shareOf(reactions)).toBeCloseTo(0.1, 1)
  expect(reactions.flat()[0]).toEqual({ kind: 'answer', text: 'STOP', after_ms: 60_000 })
  expect(react('2341', 'Are you there?', 0)).toMatchObject([{ kind: 'answer', text: 'yes' }])
})
