import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkLimits, SLOT_S, type Slot, type Traffic } from './limits.ts'

const limits = {
  number_per_10_minutes: 5,
  number_per_day: 20,
  prefix_per_hour: 30,
  country_per_hour: 40,
  organisation_per_hour: 60,
}
const guard = {
  window_minutes: 60,
  conversion: 0.2,
  slow_from: 20,
  slow_every_s: 30,
  block_from: 50,
  block_minutes: 60,
}
const now_s = 1_800_000_000
const nothing: Traffic = { now_s, number: [], prefix: [], country: [], organisation: [], guard: undefined }

const slots = (...given: [age_s: number, sent: number, verified?: number][]): Slot[] =>
  given.map(([age_s, sent, verified = sent]) => ({ slot_s: now_s - age_s, sent, verified }))

describe('the limits', () => {
  test('report the wait of the longest one', () => {
    const number = [now_s - 599, now_s - 4, now_s - 3, now_s - 2, now_s - 1]
    expect(checkLimits(limits, guard, { ...nothing, number }).refused?.retry_after_s).toBe(1)
    const prefix = slots([3_000, 20], [300, 20])
    const { refused } = checkLimits(limits, guard, { ...nothing, number, prefix })
    expect(refused).toMatchObject({ reason: expect.stringContaining('numbers like this one'), retry_after_s: 600 })
  })

  test.each([
    ['number', 'this number has had too many in ten minutes', { number: [599, 4, 3, 2, 1] }, 1],
    [
      'day',
      'this number has had too many in a day',
      { number: Array.from({ length: 20 }, (_, n) => 80_000 - n * 700) },
      6_400,
    ],
    ['prefix', 'numbers like this one have had too many', { prefix: slots([3_000, 20], [300, 20]) }, 600],
    ['country', 'this country has had too many', { country: slots([3_500, 1], [900, 39]) }, 100],
    ['organisation', 'your organisation has sent too many', { organisation: slots([3_599, 59], [0, 1]) }, 1],
  ])('per %s: the reason and the wait', (_, reason, { number = [], ...counted }: Partial<Traffic>, retry_after_s) => {
    const traffic = { ...nothing, ...counted, number: number.map((age_s) => now_s - age_s) }
    expect(checkLimits(limits, guard, traffic)).toEqual({ refused: { reason, retry_after_s } })
  })

  test('wait until enough slots have left the window, and no longer', () => {
    const country = slots([3_500, 1], [3_000, 1], [600, 40])
    expect(checkLimits(limits, guard, { ...nothing, country }).refused?.retry_after_s).toBe(3_000)
    const just = slots([3_500, 3], [3_000, 1], [600, 39])
    expect(checkLimits(limits, guard, { ...nothing, country: just }).refused?.retry_after_s).toBe(600)
  })

  test('ignore sends that are as old as the window or older', () => {
    const number = [700, 600, 4, 3, 2, 1].map((age_s) => now_s - age_s)
    expect(checkLimits(limits, guard, { ...nothing, number })).toEqual({})
    const old = slots([4_000, 100], [3_600, 100], [600, 39])
    expect(checkLimits(limits, guard, { ...nothing, country: old })).toEqual({})
  })

  test('admit requests once the counts have left their windows', () => {
    const number = [now_s - 600, now_s - 4, now_s - 3, now_s - 2, now_s - 1]
    const full = slots([3_600, 1_000])
    expect(checkLimits(limits, guard, { ...nothing, number, prefix: full, country: full, organisation: full })).toEqual(
      {},
    )
  })

  /** Sends whenever it is admitted, and otherwise retries after Retry-After. */
  function insist(requests: readonly number[]): number[] {
    const number: number[] = []
    let clock_s = now_s
    for (const pause_s of requests) {
      clock_s += pause_s
      const verdict = checkLimits(limits, guard, { ...nothing, now_s: clock_s, number })
      const wait_s = verdict.refused?.retry_after_s ?? 0
      const early = checkLimits(limits, guard, { ...nothing, now_s: clock_s + wait_s - 1, number })
      expect(wait_s === 0 || early.refused !== undefined).toBe(true)
      clock_s += wait_s
      expect(checkLimits(limits, guard, { ...nothing, now_s: clock_s, number })).toEqual({})
      number.push(clock_s)
    }
    return number
  }

  test('hold in every window for any request pattern, and Retry-After is exact', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 4_000 }), { maxLength: 80, size: 'max' }), (pauses) => {
        const sent = insist(pauses)
        const most = (window_s: number) =>
          Math.max(0, ...sent.map((end_s) => sent.filter((s) => s > end_s - window_s && s <= end_s).length))
        expect(most(600)).toBeLessThanOrEqual(5)
        expect(most(86_400)).toBeLessThanOrEqual(20)
      }),
    )
  })
})

describe('the guard', () => {
  test.each([
    ['too little traffic', slots([0, 19, 0]), undefined],
    ['enough verified', slots([0, 49, 10]), undefined],
    ['old traffic', slots([3_600, 100, 0]), undefined],
    ['enough traffic, hardly verified', slots([600, 10, 2], [0, 10, 1]), 'slowed'],
    ['much of it', slots([600, 25, 5], [0, 25, 4]), 'blocked'],
  ])('%s', (_, prefix, state) => {
    const verdict = checkLimits({ ...limits, prefix_per_hour: 1_000 }, guard, { ...nothing, prefix })
    expect(verdict.guard?.state).toBe(state)
    expect(verdict.refused === undefined).toBe(state === undefined)
  })

  test('reports reason, end and counts of a block', () => {
    const prefix = slots([600, 25, 5], [0, 25, 4])
    const refused = { reason: 'tokens sent to numbers like this one are hardly ever verified', retry_after_s: 3_600 }
    const verdict = checkLimits({ ...limits, prefix_per_hour: 1_000 }, guard, { ...nothing, prefix })
    expect(verdict).toEqual({ refused, guard: { state: 'blocked', until_s: now_s + 3_600, sent: 50, verified: 9 } })
    const still = checkLimits(limits, guard, {
      ...nothing,
      prefix: slots([0, 2, 1]),
      guard: { state: 'blocked', until_s: now_s + 5 },
    })
    expect(still.guard).toEqual({ state: 'blocked', until_s: now_s + 5, sent: 2, verified: 1 })
  })

  test('admits exactly the required share of verified OTPs', () => {
    expect(checkLimits(limits, guard, { ...nothing, prefix: slots([0, 20, 4]) })).toEqual({})
    expect(checkLimits(limits, guard, { ...nothing, prefix: slots([0, 20, 3]) }).guard?.state).toBe('slowed')
  })

  test('admits one request per interval to a slowed prefix', () => {
    const prefix = slots([SLOT_S, 20, 0])
    const slowed = { state: 'slowed' as const, until_s: now_s }
    const passed = checkLimits(limits, guard, { ...nothing, prefix, guard: slowed })
    expect(passed).toEqual({ guard: { state: 'slowed', until_s: now_s + 30, sent: 20, verified: 0 } })
    const next = checkLimits(limits, guard, { ...nothing, prefix, guard: { ...slowed, until_s: now_s + 12 } })
    expect(next.refused?.retry_after_s).toBe(12)
    expect(next.guard?.until_s).toBe(now_s + 12)
  })

  test('keeps a block until it expires, even if OTPs are verified meanwhile', () => {
    const blocked = { state: 'blocked' as const, until_s: now_s + 5 }
    const traffic = { ...nothing, prefix: slots([0, 20, 20]), guard: blocked }
    expect(checkLimits(limits, guard, traffic).refused?.retry_after_s).toBe(5)
    expect(checkLimits(limits, guard, { ...traffic, now_s: now_s + 5 })).toEqual({})
  })
})
