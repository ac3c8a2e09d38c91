import { assert, constantFrom, date, integer, pre, property } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { makeQuietHours } from './quiet-hours.ts'
import { zonesOf } from '../../values/time/country-zones.ts'

const NIGHT = { quiet_from: '20:00', quiet_until: '08:00' }

function end(country: string, asked: string, hours = NIGHT): string {
  const at = makeQuietHours(hours, Date.parse(asked))(country)
  return at === undefined ? 'at once' : new Date(at).toISOString()
}

describe('quiet hours', () => {
  test.each([
    ['NG', '2026-11-15T12:00:00Z', 'at once'],
    ['NG', '2026-11-15T18:59:59Z', 'at once'], // 19:59:59 in Lagos
    ['NG', '2026-11-15T19:00:00Z', '2026-11-16T07:00:00.000Z'],
    ['NG', '2026-11-16T06:59:30Z', '2026-11-16T07:00:00.000Z'],
    ['NG', '2026-11-16T07:00:00Z', 'at once'],
    ['KE', '2026-11-15T18:00:00Z', '2026-11-16T05:00:00.000Z'],
    ['IN', '2026-11-15T15:00:00Z', '2026-11-16T02:30:00.000Z'], // half an hour beside the others
    // New York may be reached at 8, but Honolulu is asleep until 18:00 UTC.
    ['US', '2026-11-15T15:00:00Z', '2026-11-15T18:00:00.000Z'],
    // In New York it is quiet from 01:00 UTC on, when Honolulu has afternoon.
    ['US', '2026-11-16T01:30:00Z', '2026-11-16T18:00:00.000Z'],
    ['', '2026-11-15T21:00:00Z', '2026-11-16T08:00:00.000Z'],
  ])('in %s at %s: %s', (country, asked, expected) => expect(end(country, asked)).toBe(expected))

  test('within a day work as well as over midnight', () => {
    const siesta = { quiet_from: '12:00', quiet_until: '14:00' }
    expect(end('NG', '2026-11-15T11:30:00Z', siesta)).toBe('2026-11-15T13:00:00.000Z')
    expect(end('NG', '2026-11-15T13:00:00Z', siesta)).toBe('at once')
  })

  test('follow the clock when it is changed', () => {
    // On 28 March 2027 London goes over to summer time at 01:00.
    expect(end('GB', '2027-03-27T21:00:00Z')).toBe('2027-03-28T07:00:00.000Z')
    expect(end('GB', '2027-03-26T21:00:00Z')).toBe('2027-03-27T08:00:00.000Z')
  })

  test('of a country too wide for them are those of its capital', () => {
    const long = { quiet_from: '17:00', quiet_until: '09:00' }
    expect(end('RU', '2026-11-15T20:00:00Z', long)).toBe('2026-11-16T06:00:00.000Z')
  })

  test('are never sent in, and never waited for longer than they last in a country with one clock', () => {
    const clock = integer({ min: 0, max: 1_439 }).map((minutes) =>
      new Date(minutes * 60_000).toISOString().slice(11, 16),
    )
    const moment = date({ min: new Date('2026-01-01'), max: new Date('2027-12-31'), noInvalidDate: true })
    assert(
      property(clock, clock, moment, constantFrom('NG', 'GH', 'ZA', 'IN', 'NP'), (from, until, at, country) => {
        pre(from !== until)
        const hours = { quiet_from: from, quiet_until: until }
        const ends = makeQuietHours(hours, at.getTime())(country) ?? at.getTime()
        expect(makeQuietHours(hours, ends)(country)).toBeUndefined()
        expect(ends - at.getTime()).toBeLessThan(86_400_000)
      }),
    )
  })
})

test('every zone of the table is one that Intl knows', () => {
  expect(zonesOf('NG')).toEqual(['Africa/Lagos'])
  expect(zonesOf('RU').length).toBeGreaterThan(8)
  expect(zonesOf('XX')).toEqual(['UTC'])
  for (const country of ['NG', 'US', 'RU', 'BR', 'AU', 'CD', 'KI', 'FR']) {
    for (const timeZone of zonesOf(country)) expect(() => new Intl.DateTimeFormat('en', { timeZone })).not.toThrow()
  }
})
