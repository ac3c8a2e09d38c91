import { expect, test } from 'vitest'
import { retryDelay, type BindFault } from './backoff.ts'
import { BIND_DEFAULTS } from './bind-settings.ts'

const delay = (fault: BindFault, failures: number, random = 0.5) =>
  retryDelay(BIND_DEFAULTS.backoff, fault, failures, 30_000, () => random)

test('attempts come after one second, two, four, and at last every minute', () => {
  expect([1, 2, 3, 4, 5, 6, 7, 8, 10_000].map((failures) => delay('unreachable', failures) / 1_000)).toEqual([
    1, 2, 4, 8, 16, 32, 60, 60, 60,
  ])
})

test('a fifth more or less, so that many binds do not come back in step', () => {
  expect([delay('cut', 1, 0), delay('cut', 1, 1)].map(Math.round)).toEqual([800, 1_200])
})

test('wrong credentials wait for minutes, a bind still held for an enquire_link', () => {
  expect(delay('credentials', 1, 0)).toBe(300_000)
  expect(delay('already_bound', 1)).toBe(31_000)
})
