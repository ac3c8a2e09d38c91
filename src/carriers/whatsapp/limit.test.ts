import { expect, test } from 'vitest'
import { readLimit } from './limit.ts'

test.each([
  ['TIER_250', 250],
  ['TIER_2K', 2_000],
  ['tier_100k', 100_000],
  ['TIER_UNLIMITED', null],
  [2_000, 2_000],
  ['10000', 10_000],
  [-1, null],
])('%s is a messaging limit', (given, people) => {
  expect(readLimit(given)).toBe(people)
})

test.each([
  undefined,
  null,
  '',
  'TIER_NOT_SET',
  'TIER_',
  'TIER_0',
  0,
  -2,
  1.5,
  1e300,
  'NaN',
  {},
  [2_000],
  'TIER_9999999K',
])('%j is none, and what is known stays', (given) => {
  expect(readLimit(given)).toBeUndefined()
})
