import { expect, test } from 'vitest'
import { courseOf, nameOf } from '../../console/src/pages/margins/margins.ts'

const figures = (revenue: number, cost: number, revenue_without_cost = 0) => ({
  deliveries: 1,
  pages: 1,
  revenue,
  cost,
  margin: revenue - revenue_without_cost - cost,
  margin_rate: (revenue - revenue_without_cost - cost) / (revenue - revenue_without_cost),
  without_cost: revenue_without_cost === 0 ? 0 : 1,
  revenue_without_cost,
})
const report = {
  from: '2026-10-30',
  until: '2026-11-02',
  currency: 'NGN',
  totals: figures(10, 7),
  rows: [
    { day: '2026-10-30', ...figures(4, 1) },
    { day: '2026-11-01', ...figures(2, 4) },
    { day: '2026-11-02', ...figures(4, 2) },
  ],
}

test('days without messages are days without a margin, and have no rate', () => {
  const { series, time_zone } = courseOf(report, 'day')
  expect(series.map(({ start_datetime, margin }) => [start_datetime.slice(0, 10), margin])).toEqual([
    ['2026-10-30', 3],
    ['2026-10-31', 0],
    ['2026-11-01', -2],
    ['2026-11-02', 2],
  ])
  expect([time_zone, series[1]?.margin_rate, series[2]?.margin_rate]).toEqual(['UTC', undefined, -1])
})

test('months are the sums of their days, with the rate of the sums', () => {
  expect(courseOf(report, 'month').series).toEqual([
    { start_datetime: '2026-10-01T00:00:00Z', ...figures(4, 1) },
    { start_datetime: '2026-11-01T00:00:00Z', ...figures(6, 6), deliveries: 2, pages: 2 },
  ])
})

test('revenue of deliveries without a known cost is no part of a margin or its rate', () => {
  const rows = [
    { day: '2026-11-01', ...figures(6, 1, 2) },
    { day: '2026-11-02', ...figures(4, 2) },
  ]
  const [month] = courseOf({ ...report, from: '2026-11-01', rows }, 'month').series
  expect(month).toMatchObject({ revenue: 10, cost: 3, margin: 5, margin_rate: 5 / 8, revenue_without_cost: 2 })
})

test('rows are named by what they are grouped by', () => {
  const row = {
    ...figures(1, 1),
    organisation_id: 'id',
    carrier: '',
    country: 'NG',
    operator: 'MTN',
    day: '2026-11-01',
  }
  expect(nameOf('organisation', row)).toBe('id')
  expect(nameOf('organisation', { ...row, name: 'Kano Traders' })).toBe('Kano Traders')
  expect(nameOf('carrier', row)).toBe('No carrier')
  expect(nameOf('operator', row)).toBe('MTN, Nigeria')
  expect(nameOf('operator', { ...figures(1, 1), country: '', operator: '' })).toBe('Unknown')
  expect(nameOf('day', row)).toBe('Sun, 1 Nov 2026')
})
