import { expect, test } from 'vitest'
import { carrierList, choiceWords } from '../../console/src/pages/carriers/choice-words.ts'

const evidence = (follow_percent: number) => ({
  follow_percent,
  tolerance: 0.03,
  explored_percent: 3,
  half_life_minutes: 60,
})
const route = { carriers: ['mtn', 'glo'], choose: 'order' as const, evidence: evidence(0) }
const words = (more: object) => [carrierList({ ...route, ...more }), choiceWords({ ...route, ...more })]

test('carriers stand in their order, unless one is chosen for each message', () => {
  expect(words({})).toEqual(['mtn, then glo', undefined])
  expect(words({ carriers: undefined, carrier: 'mtn' })).toEqual(['mtn', undefined])
  expect(words({ choose: 'cheapest' })).toEqual(['mtn, glo', 'the least expensive one is chosen'])
})

test('weights are shown as shares', () => {
  expect(words({ choose: 'shares', shares: { mtn: 3, glo: 1 } })[1]).toBe('chosen by shares: mtn 75%, glo 25%')
  expect(words({ choose: 'shares', shares: { mtn: 3 } })[1]).toBe('chosen by shares: mtn 100%, glo 0%')
})

test('how much of the evidence is followed', () => {
  const followed = (percent: number) => words({ choose: 'evidence', evidence: evidence(percent) })[1]
  expect(followed(0)).toBe('chosen by evidence: advice only, which is not followed')
  expect(followed(12.5)).toBe('chosen by evidence for 12.5% of the messages')
  expect(followed(100)).toBe('chosen by evidence')
})
