import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { RETRY_LIMIT_S, retryDelay } from './retry-schedule.ts'

const middle = (): number => 0.5

/** The times of all tries, in seconds after the first, when each fails at once. */
function tries(random: () => number): number[] {
  const times = [0]
  for (;;) {
    const age_s = times.at(-1) ?? 0
    const delay_s = retryDelay(times.length, age_s, random)
    if (delay_s === undefined) return times
    times.push(age_s + delay_s)
  }
}

describe('retryDelay', () => {
  test('is 5 s, 1 min, 5 min, 30 min, then an hour each time', () => {
    expect([1, 2, 3, 4, 5, 6, 20].map((attempts) => retryDelay(attempts, 0, middle))).toEqual([
      5, 60, 300, 1_800, 3_600, 3_600, 3_600,
    ])
  })

  test('makes 28 tries in 24 hours', () => {
    const times = tries(middle)
    expect(times).toHaveLength(28)
    expect(times.slice(0, 6)).toEqual([0, 5, 65, 365, 2_165, 5_765])
    expect(times.at(-1)).toBe(84_965)
  })

  test('moves each pause by up to a fifth either way', () => {
    expect(retryDelay(2, 10, () => 0)).toBeCloseTo(48)
    expect(retryDelay(2, 10, () => 1)).toBeCloseTo(72)
    const delays = Array.from({ length: 200 }, () => retryDelay(5, 3_000) ?? 0)
    expect(Math.min(...delays)).toBeGreaterThanOrEqual(2_880)
    expect(Math.max(...delays)).toBeLessThanOrEqual(4_320)
    expect(new Set(delays).size).toBeGreaterThan(100)
  })

  test('gives up when the next pause would end after the 24 hours, whatever the jitter', () => {
    for (const random of [() => 0, middle, () => 1]) {
      expect(retryDelay(27, RETRY_LIMIT_S - 3_600, random)).toBeLessThanOrEqual(3_600)
      expect(retryDelay(27, RETRY_LIMIT_S - 3_599, random)).toBeUndefined()
      expect(retryDelay(1, RETRY_LIMIT_S + 1, random)).toBeUndefined()
    }
  })

  test('never plans a try later than 24 hours after the first, and always comes to an end', () => {
    fc.assert(
      fc.property(fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })), (numbers) => {
        const times = tries(() => Number(numbers.next().value))
        expect(times.at(-1)).toBeLessThanOrEqual(RETRY_LIMIT_S)
        expect(times.length).toBeGreaterThanOrEqual(20)
        expect(times.length).toBeLessThanOrEqual(35)
      }),
    )
  })

  test.each([0, -1, 1.5, Number.NaN])('has no answer for %d attempts', (attempts) => {
    expect(() => retryDelay(attempts, 0)).toThrow(new RangeError(`There is no retry after ${attempts} attempts`))
  })
})
