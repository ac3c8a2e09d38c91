import { expect, test } from 'vitest'
import { retryDelay, type BindFault } from './backoff.ts'
import { BIND_DEFAULTS } from './bind-settings.ts'

const delay = (fault: BindFault, failures: number, random = 0.5) =>
  retryDelay(BIND_DEFAULTS.backoff, fault, failures, 30_000, () => random)

test('retries after one, two, four seconds and so on, up to a minute', () => {
  expect([1, 2, 3, 4, 5, 6, 7, 8, 10_000].map((failures) => delay('unreachable', failures) / 1_000)).toEqual([
    1, 2, 4, 8, 16, 32, 60, 60, 60,
  ])
})

test('has 20 % jitter', () => {
  expect([delay('cut', 1, 0), delay('cut', 1, 1)].map(Math.round)).toEqual([800, 1_200])
})

test('wrong credentials wait for minutes, already_bound for an enquire_link interval', () => {
  expect(delay('credentials', 1, 0)).toBe(300_000)
  expect(delay('already_bound', 1)).toBe(31_000)
})
