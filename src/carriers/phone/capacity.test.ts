import { array, assert, integer, property, record } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { chooseSims, countFree, isUsable, type SimUse } from './capacity.ts'

const LIMITS = { per_minute: 10, per_hour: 100, per_day: 500, in_flight_per_sim: 5 }

function sim(phone_id: string, more: Partial<SimUse> = {}): SimUse {
  const idle = { used_minute: 0, used_hour: 0, used_day: 0, in_flight: 0 }
  return { phone_id, sim: 1, present: true, resting: false, ...idle, ...more }
}

describe('the choice of a SIM', () => {
  test('prefers the SIM that has sent least today', () => {
    const sims = [sim('a', { used_day: 3 }), sim('b', { used_day: 1 })]
    expect(chooseSims(sims, [1, 1, 1, 1], LIMITS).map((chosen) => chosen?.phone_id)).toEqual(['b', 'b', 'a', 'b'])
  })

  test.each([
    ['is silent', { present: false }],
    ['rests', { resting: true }],
    ['has sent enough this minute', { used_minute: 10 }],
    ['has sent enough this hour', { used_hour: 100 }],
    ['has sent enough today', { used_day: 500 }],
  ])('excludes a SIM that %s', (_, more) => {
    expect(isUsable(sim('a', more), LIMITS)).toBe(false)
    expect(chooseSims([sim('a', more), sim('b', { used_day: 100 })], [1], LIMITS)).toEqual([{ phone_id: 'b', sim: 1 }])
    expect(chooseSims([sim('a', more)], [1], LIMITS)).toEqual([undefined])
  })

  test('waits for a SIM with the maximum of messages assigned, which still counts as usable', () => {
    const busy = sim('a', { in_flight: 5 })
    expect(isUsable(busy, LIMITS)).toBe(true)
    expect(chooseSims([busy], [1], LIMITS)).toEqual([undefined])
  })

  test('lets a long text exceed the limit, since it could never be sent otherwise', () => {
    expect(chooseSims([sim('a', { used_minute: 9 })], [8, 1], LIMITS)).toEqual([{ phone_id: 'a', sim: 1 }, undefined])
  })

  test('never exceeds the messages per SIM, nor starts a message beyond a limit', () => {
    const use = record({
      used_minute: integer({ min: 0, max: 12 }),
      used_hour: integer({ min: 0, max: 110 }),
      used_day: integer({ min: 0, max: 510 }),
      in_flight: integer({ min: 0, max: 7 }),
    })
    assert(
      property(array(use, { maxLength: 6 }), array(integer({ min: 1, max: 10 }), { maxLength: 60 }), (uses, pages) => {
        const sims = uses.map((one, n) => sim(`phone ${n}`, one))
        const chosen = chooseSims(sims, pages, LIMITS)
        expect(chosen).toHaveLength(pages.length)
        for (const one of sims) {
          const own = pages.filter((_, n) => chosen[n]?.phone_id === one.phone_id)
          expect(own.length).toBeLessThanOrEqual(Math.max(0, LIMITS.in_flight_per_sim - one.in_flight))
          const before_last = own.slice(0, -1).reduce((sum, count) => sum + count, 0)
          const begun_at = own.length > 0 ? one.used_minute + before_last : 0
          expect(begun_at).toBeLessThan(LIMITS.per_minute)
        }
        const single = chooseSims(sims, Array<number>(100).fill(1), LIMITS)
        expect(single.filter(Boolean).length).toBe(countFree(sims, LIMITS))
      }),
    )
  })
})
