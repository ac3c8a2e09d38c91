import type { MarginFigures, MarginsRow } from '../../api-types.ts'
import { t } from '../../text/text.ts'
import { stepNames, valueName, type Course, type Metric } from '../analytics/analytics.ts'

export const MARGINS = '/console/api/margins'
const DAY_MS = 86_400_000

/** What the table is grouped by. */
export const DIMENSIONS = {
  organisation: { title: t('Organisation'), heading: t('By organisation'), choice: t('by organisation') },
  carrier: { title: t('Carrier'), heading: t('By carrier'), choice: t('by carrier') },
  country: { title: t('Country'), heading: t('By country'), choice: t('by country') },
  operator: { title: t('Operator||a mobile network'), heading: t('By operator'), choice: t('by operator') },
  day: { title: t('Day'), heading: t('By day'), choice: t('by day') },
} as const
export type By = keyof typeof DIMENSIONS

/** Margins first: it is what the chart draws. */
export const METRICS: readonly Metric<MarginFigures>[] = [
  { name: 'margin', title: t('Margin'), form: 'money', of: ({ margin }) => margin },
  { name: 'revenue', title: t('Revenue'), form: 'money', of: ({ revenue }) => revenue },
  { name: 'cost', title: t('Cost'), form: 'money', of: ({ cost }) => cost },
  { name: 'rate', title: t('Margin rate'), form: 'share', of: ({ margin_rate }) => margin_rate },
  { name: 'deliveries', title: t('Deliveries'), form: 'count', of: ({ deliveries }) => deliveries },
  { name: 'pages', title: t('Pages'), form: 'count', of: ({ pages }) => pages },
  { name: 'without_cost', title: t('Cost unknown'), form: 'count', of: ({ without_cost }) => without_cost },
  {
    name: 'revenue_without_cost',
    title: t('Revenue, cost unknown'),
    form: 'money',
    of: ({ revenue_without_cost }) => revenue_without_cost,
  },
]

/** The days, or their months, without gaps. */
export function courseOf(
  { from, until, currency, totals, rows }: Report,
  interval: 'day' | 'month',
): Course<MarginFigures> {
  const by_day = new Map(rows.map((row) => [row.day, row]))
  const steps = new Map<string, MarginFigures>()
  for (let at = Date.parse(from); at <= Date.parse(until); at += DAY_MS) {
    const day = new Date(at).toISOString().slice(0, 10)
    const step = interval === 'day' ? day : `${day.slice(0, 8)}01`
    steps.set(step, sum(steps.get(step), by_day.get(day)))
  }
  const series = [...steps].map(([step, figures]) => ({ start_datetime: `${step}T00:00:00Z`, ...figures }))
  return { interval, time_zone: 'UTC', currency, totals, series }
}

type Report = { from: string; until: string; currency: string; totals: MarginFigures; rows: readonly MarginsRow[] }

function sum(a: MarginFigures = NOTHING, b: MarginFigures = NOTHING): MarginFigures {
  const revenue = a.revenue + b.revenue
  const revenue_without_cost = a.revenue_without_cost + b.revenue_without_cost
  const compared = revenue - revenue_without_cost
  const margin = a.margin + b.margin
  return {
    deliveries: a.deliveries + b.deliveries,
    pages: a.pages + b.pages,
    revenue,
    cost: a.cost + b.cost,
    margin,
    ...(compared > 0 ? { margin_rate: margin / compared } : {}),
    without_cost: a.without_cost + b.without_cost,
    revenue_without_cost,
  }
}

const NOTHING: MarginFigures = {
  deliveries: 0,
  pages: 0,
  revenue: 0,
  cost: 0,
  margin: 0,
  without_cost: 0,
  revenue_without_cost: 0,
}

const longDay = stepNames({ interval: 'day', time_zone: 'UTC' }).long

/** What a row is about, in words. */
export function nameOf(by: By, row: MarginsRow): string {
  switch (by) {
    case 'organisation':
      return row.name ?? row.organisation_id ?? ''
    case 'carrier':
      return row.carrier || t('No carrier')
    case 'country':
      return valueName('country', row.country ?? '')
    case 'operator':
      return row.country
        ? valueName('operator', [row.country, row.operator].filter(Boolean).join(' '))
        : valueName('country', '')
    case 'day':
      return longDay(`${row.day}T00:00:00Z`)
  }
}
