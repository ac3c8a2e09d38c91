import { describe, expect, test } from 'vitest'
import { Refusal } from '../values/refusal.ts'
import type { AnalyticsQuery } from './schema.ts'
import { readPeriod, type Period } from './period.ts'

const LAGOS = { time_zone: 'Africa/Lagos', now_ms: Date.parse('2026-11-16T09:20:00Z') }
const NEW_YORK = { time_zone: 'America/New_York', now_ms: LAGOS.now_ms }

const begins = ({ starts }: Period) => starts.map((ms) => new Date(ms).toISOString().slice(0, 16))
const ends = ({ ends_ms }: Period) => new Date(ends_ms).toISOString().slice(0, 16)

function faultsOf(query: Partial<AnalyticsQuery>): string[] {
  try {
    readPeriod(LAGOS, query, [])
  } catch (fault) {
    if (fault instanceof Refusal) return fault.faults.map(({ field, type }) => `${field} ${type}`)
  }
  return []
}

describe('the steps of a period', () => {
  test('without wishes: the last thirty days, by the day', () => {
    const { period, interval, previous } = readPeriod(LAGOS, {}, [])
    expect([period.from, period.until, interval, previous]).toEqual(['2026-10-18', '2026-11-16', 'day', undefined])
    expect(begins(period)).toHaveLength(30)
    expect([begins(period)[0], ends(period)]).toEqual(['2026-10-17T23:00', '2026-11-16T23:00'])
  })

  test('a day has 23 hours when summer time begins, and 25 when it ends', () => {
    const hours = (date: string) =>
      readPeriod(NEW_YORK, { from: date, until: date, interval: 'hour' }, []).period.starts.length
    expect(['2026-03-08', '2026-03-09', '2026-11-01'].map(hours)).toEqual([23, 24, 25])
  })

  test('days keep to the clock when it changes', () => {
    const { period } = readPeriod(NEW_YORK, { from: '2026-10-31', until: '2026-11-02' }, [])
    expect([...begins(period), ends(period)]).toEqual([
      '2026-10-31T04:00',
      '2026-11-01T04:00',
      '2026-11-02T05:00',
      '2026-11-03T05:00',
    ])
  })

  test('months begin with their first day, the first one with the period', () => {
    const { period } = readPeriod(LAGOS, { from: '2026-01-20', until: '2026-03-05', interval: 'month' }, [])
    expect(begins(period)).toEqual(['2026-01-19T23:00', '2026-01-31T23:00', '2026-02-28T23:00'])
  })
})

describe('what it is compared with', () => {
  const compared = (query: Partial<AnalyticsQuery>) => {
    const { previous } = readPeriod(LAGOS, query, [])
    return previous && [previous.from, previous.until, ends(previous)]
  }

  test('as many days before, or the same a year before', () => {
    const days = { from: '2026-11-01', until: '2026-11-07' }
    expect(compared({ ...days, compare: 'previous_period' })).toEqual(['2026-10-25', '2026-10-31', '2026-10-31T23:00'])
    expect(compared({ ...days, compare: 'previous_year' })).toEqual(['2025-11-01', '2025-11-07', '2025-11-07T23:00'])
  })

  test('of days that are not over, as far as they have come', () => {
    const week = { from: '2026-11-10', until: '2026-11-16' }
    expect(compared({ ...week, compare: 'previous_period' })).toEqual(['2026-11-03', '2026-11-09', '2026-11-09T10:00'])
    const today = { from: '2026-11-16', until: '2026-11-16' }
    expect(compared({ ...today, compare: 'previous_period' })).toEqual(['2026-11-15', '2026-11-15', '2026-11-15T10:00'])
  })
})

test('what cannot be read is refused, all of it at once', () => {
  expect(faultsOf({ from: '2026-02-30', until: 'yesterday', value: 'NG' })).toEqual([
    'until date_invalid',
    'from date_invalid',
    'by missing',
  ])
  expect(faultsOf({ from: '2026-11-02', until: '2026-11-01' })).toEqual(['until greater_than_equal'])
  expect(faultsOf({ from: '2025-01-01', until: '2026-02-04' })).toEqual([])
  expect(faultsOf({ from: '2025-01-01', until: '2026-02-05' })).toEqual(['until less_than_equal'])
  expect(faultsOf({ from: '2026-10-01', until: '2026-10-31', interval: 'hour' })).toEqual([])
  expect(faultsOf({ from: '2026-10-01', until: '2026-11-01', interval: 'hour' })).toEqual(['interval invalid'])
  expect(faultsOf({ from: '0000-01-01', until: '0000-01-01' })).toEqual(['until date_invalid', 'from date_invalid'])
})
