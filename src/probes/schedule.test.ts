import { assert, date, double, integer, property } from 'fast-check'
import { expect, test } from 'vitest'
import { nextProbe } from './schedule.ts'

const HOUR_MS = 3_600_000
const LAGOS = { country: 'NG', from_hour: 8, to_hour: 20, per_day: 12 }
const at = (time: string, random: number) => new Date(nextProbe(LAGOS, Date.parse(time), random)).toISOString()

test('the next probe is due after half to one and a half of the mean interval', () => {
  expect(at('2026-11-16T10:00:00Z', 0)).toBe('2026-11-16T10:30:00.000Z')
  expect(at('2026-11-16T10:00:00Z', 0.5)).toBe('2026-11-16T11:00:00.000Z')
})

test('outside its hours a plan waits for the next morning of the country', () => {
  expect(at('2026-11-16T18:45:00Z', 0.5)).toBe('2026-11-17T07:30:00.000Z')
  expect(at('2026-11-16T02:00:00Z', 0)).toBe('2026-11-16T07:00:00.000Z')
})

test('a plan never sends outside its hours, and at most twice as often as asked for', () => {
  const moment = date({ min: new Date('2026-01-01'), max: new Date('2027-12-31'), noInvalidDate: true })
  const plan = integer({ min: 0, max: 23 }).chain((from_hour) =>
    integer({ min: from_hour + 1, max: 24 }).chain((to_hour) =>
      integer({ min: 1, max: 500 }).map((per_day) => ({ country: 'NG', from_hour, to_hour, per_day })),
    ),
  )
  assert(
    property(moment, plan, double({ min: 0, max: 0.999, noNaN: true }), (now, hours, random) => {
      const next_ms = nextProbe(hours, now.getTime(), random)
      const local_hour = new Date(next_ms + HOUR_MS).getUTCHours() // Lagos has UTC+1 all year
      expect(local_hour).toBeGreaterThanOrEqual(hours.from_hour)
      expect(local_hour).toBeLessThan(hours.to_hour)
      const mean_ms = ((hours.to_hour - hours.from_hour) * HOUR_MS) / hours.per_day
      expect(next_ms - now.getTime()).toBeGreaterThanOrEqual(Math.floor(mean_ms / 2))
    }),
  )
})
