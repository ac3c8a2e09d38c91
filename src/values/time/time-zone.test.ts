import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { dateIn, daysBetween, daysLater, hourIn, isDate, isTimeZone, startOfDay, yearBefore } from './time-zone.ts'

const at = (text: string) => Date.parse(text)
const written = (ms: number) => new Date(ms).toISOString()

describe('a day of a time zone begins', () => {
  test.each([
    ['Africa/Lagos', '2026-11-16', '2026-11-15T23:00:00.000Z', 'where clocks never change'],
    ['Asia/Kolkata', '2026-11-16', '2026-11-15T18:30:00.000Z', 'where clocks are half an hour off'],
    ['Asia/Kathmandu', '2026-11-16', '2026-11-15T18:15:00.000Z', 'where they are a quarter off'],
    ['America/New_York', '2026-03-08', '2026-03-08T05:00:00.000Z', 'on the day summer time begins'],
    ['America/New_York', '2026-03-09', '2026-03-09T04:00:00.000Z', 'and on the day after it'],
    ['America/New_York', '2026-11-02', '2026-11-02T05:00:00.000Z', 'after the day it ends'],
    ['Africa/Cairo', '2026-04-24', '2026-04-23T22:00:00.000Z', 'where midnight is left out, at one o’clock'],
    ['Atlantic/Azores', '2026-10-25', '2026-10-25T00:00:00.000Z', 'where midnight comes twice, with the first'],
    ['America/Santiago', '2026-04-05', '2026-04-05T04:00:00.000Z', 'where the hour before midnight comes twice'],
  ])('in %s on %s at %s: %s', (zone, date, start) => {
    expect(written(startOfDay(zone, date))).toBe(start)
  })

  test('with its first moment, and where the day before ends, whatever zone and day', () => {
    const zones = Intl.supportedValuesOf('timeZone')
    fc.assert(
      fc.property(fc.constantFrom(...zones), fc.integer({ min: 0, max: 365 * 25 }), (zone, days) => {
        const date = daysLater('2012-01-01', days)
        const start = startOfDay(zone, date)
        expect(dateIn(zone, start)).toBe(date)
        expect(dateIn(zone, start - 1)).toBe(daysLater(date, -1))
        expect(hourIn(zone, start)).toBe(start)
      }),
      { numRuns: 300 },
    )
  })

  test('a day that a zone left out is over as it begins', () => {
    expect(startOfDay('Pacific/Apia', '2011-12-30')).toBe(startOfDay('Pacific/Apia', '2011-12-31'))
  })
})

test('an hour begins by the clock of its zone, also where it comes twice', () => {
  expect(written(hourIn('Asia/Kolkata', at('2026-11-16T10:45:00Z')))).toBe('2026-11-16T10:30:00.000Z')
  expect(written(hourIn('Africa/Lagos', at('2026-11-16T10:45:12.5Z')))).toBe('2026-11-16T10:00:00.000Z')
  const [first, second] = ['2026-11-01T05:30:00Z', '2026-11-01T06:30:00Z'].map((text) =>
    hourIn('America/New_York', at(text)),
  )
  expect([first, second].map((ms) => written(ms ?? 0))).toEqual([
    '2026-11-01T05:00:00.000Z',
    '2026-11-01T06:00:00.000Z',
  ])
})

test('isTimeZone accepts IANA names only', () => {
  for (const name of ['Africa/Lagos', 'UTC', 'America/Argentina/Buenos_Aires', 'Etc/GMT+5']) {
    expect([name, isTimeZone(name)]).toEqual([name, true])
  }
  for (const name of [
    '',
    '+01:00',
    'Lagos',
    'Africa/Nowhere',
    'Africa/Lagos\u0000',
    '../etc/passwd',
    'x'.repeat(100),
  ]) {
    expect([name, isTimeZone(name)]).toEqual([name, false])
  }
})

test('dates are counted by the calendar', () => {
  expect(['2026-02-28', '2024-02-29'].every(isDate)).toBe(true)
  expect(['2026-02-29', '2026-13-01', '2026-1-1', '+02026-01-01', '2026-11-01T00:00', ''].some(isDate)).toBe(false)
  expect(daysLater('2024-02-28', 1)).toBe('2024-02-29')
  expect(daysBetween('2026-10-24', '2026-10-26')).toBe(2)
  expect([yearBefore('2024-02-29'), yearBefore('2026-11-16')]).toEqual(['2023-02-28', '2025-11-16'])
})
