import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { requeryDelay } from './requery-schedule.ts'

const DAY_S = 86_400
const schedule = { delays_s: [10, 30, 60, 300, 900, 3_600], review_after_s: DAY_S }

describe('the pauses between questions', () => {
  test('are 10 s, 30 s, 1, 5, 15 min, then hourly to 24 h', () => {
    const asked_at: number[] = []
    for (let age_s = 0; ;) {
      const delay_s = requeryDelay(schedule, asked_at.length, age_s)
      if (delay_s === undefined) break
      age_s += delay_s
      asked_at.push(age_s)
    }
    expect(asked_at.slice(0, 7)).toEqual([10, 40, 100, 400, 1_300, 4_900, 8_500])
    expect(asked_at.at(-1)).toBe(DAY_S)
    expect(asked_at).toHaveLength(29)
  })

  test("follow the vendor's wish, but not beyond the end", () => {
    expect(requeryDelay(schedule, 3, 0, 2)).toBe(2)
    expect(requeryDelay(schedule, 0, DAY_S - 5, 60)).toBe(5)
    expect(requeryDelay(schedule, 0, DAY_S, 60)).toBeUndefined()
  })

  test('always end', () => {
    fc.assert(
      fc.property(fc.nat(100), fc.double({ min: 0, max: 2 * DAY_S, noNaN: true }), (asked, age_s) => {
        const delay_s = requeryDelay(schedule, asked, age_s)
        expect(delay_s === undefined).toBe(age_s >= DAY_S)
        expect(age_s + (delay_s ?? 0)).toBeLessThanOrEqual(Math.max(age_s, DAY_S + 1e-6))
      }),
    )
  })
})
