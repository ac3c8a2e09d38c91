import { describe, expect, test } from 'vitest'
import { written } from '../../console/src/ui/date/formats.ts'
import { momentsOf, RANGES } from '../../console/src/ui/date/date-range.ts'
import { zoneName } from '../../console/src/ui/date/zone.ts'
import { shortTime } from '../../console/src/ui/Time.tsx'

const LAGOS = 'Africa/Lagos'
/** The last day of a long month after a shorter one, where it is half past midnight. */
const NOW = new Date('2026-03-30T23:30:00Z')

describe("a predefined period, in the organisation's time zone", () => {
  test.each([
    ['today', '2026-03-30T23:00:00.000Z', undefined],
    ['yesterday', '2026-03-29T23:00:00.000Z', '2026-03-30T23:00:00.000Z'],
    ['7d', '2026-03-24T23:00:00.000Z', undefined],
    ['30d', '2026-03-01T23:00:00.000Z', undefined],
    ['month', '2026-02-28T23:00:00.000Z', undefined],
    ['last-month', '2026-01-31T23:00:00.000Z', '2026-02-28T23:00:00.000Z'],
  ])('%s begins and ends with days', (range, from, until) => {
    const moments = momentsOf({ range }, LAGOS, NOW)
    expect({ from: moments.from?.toISOString(), until: moments.until?.toISOString() }).toEqual({ from, until })
  })

  test('is covered by these tests', () => {
    expect(RANGES.map(({ value }) => value)).toEqual(['today', 'yesterday', '7d', '30d', 'month', 'last-month'])
  })

  test('crosses a change of year', () => {
    expect(momentsOf({ range: 'last-month' }, 'UTC', new Date('2026-01-01T12:00:00Z'))).toEqual({
      from: new Date('2025-12-01T00:00:00Z'),
      until: new Date('2026-01-01T00:00:00Z'),
    })
  })

  test('has days of 23 and 25 hours where clocks change', () => {
    const hours = (now: string) => {
      const { from, until } = momentsOf({ range: 'yesterday' }, 'Europe/Paris', new Date(now))
      return (Number(until) - Number(from)) / 3_600_000
    }
    expect([hours('2026-03-30T12:00:00Z'), hours('2026-10-26T12:00:00Z')]).toEqual([23, 25])
  })
})

test('custom moments are used as given, and invalid ones are ignored', () => {
  expect(momentsOf({ range: 'own', from: '2026-01-02T03:04:00Z', until: 'soon' }, LAGOS, NOW)).toEqual({
    from: new Date('2026-01-02T03:04:00Z'),
    until: undefined,
  })
  expect(momentsOf({}, LAGOS, NOW)).toEqual({ from: undefined, until: undefined })
})

test('times are written in the zone they are shown in, with the day it is there', () => {
  const moment = new Date('2001-05-31T22:30:00Z')
  expect(written(moment, 'day_clock', 'Asia/Tokyo')).toBe('1 Jun, 07:30')
  expect(written(moment, 'day_clock', 'America/New_York')).toBe('31 May, 18:30')
  expect(shortTime(moment, 'Asia/Tokyo')).toBe('1 Jun 2001')
  const now = new Date()
  expect(shortTime(now, 'Asia/Tokyo', false)).toBe(written(now, 'clock', 'Asia/Tokyo'))
  expect(zoneName('Europe/Paris', '2026-07-01T00:00:00Z')).toBe('Paris, UTC+2')
  expect(zoneName('Europe/Paris', '2026-01-01T00:00:00Z')).toBe('Paris, UTC+1')
})
