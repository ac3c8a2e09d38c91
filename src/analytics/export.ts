import { csvLine } from '../values/csv-write.ts'
import type { AnalyticsFigures, AnalyticsReport } from './schema.ts'

/** The report as CSV: one line per value, or per step without `by`. */
export async function* exportAnalytics(report: AnalyticsReport): AsyncGenerator<string> {
  const { by, values, other, series, previous } = report
  const otps = report.totals.otp !== undefined && (values?.[0]?.otp !== undefined || !values)
  const compared = previous !== undefined
  const head = [...FIGURES, ...(otps ? OTP_FIGURES : [])]
  const cells = (figures: AnalyticsFigures, before: AnalyticsFigures | undefined): string[] => [
    ...cellsOf(figures, otps),
    ...(compared ? (before ? cellsOf(before, otps) : head.map(() => '')) : []),
  ]
  const heads = [...head, ...(compared ? head.map((name) => `previous_${name}`) : [])]
  if (by !== undefined && values) {
    const words = by === 'error' ? (['description', 'advice'] as const) : (['name'] as const)
    yield `\ufeff${csvLine([by, ...words, ...heads])}`
    for (const row of values) {
      yield csvLine([row.value, ...words.map((word) => row[word] ?? ''), ...cells(row, row.previous)])
    }
    if (other)
      yield csvLine(['', ...words.map((_word, n) => (n === 0 ? 'other' : '')), ...cells(other, other.previous)])
    return
  }
  yield `\ufeff${csvLine(['start_datetime', ...heads])}`
  for (const [n, step] of series.entries()) yield csvLine([step.start_datetime, ...cells(step, previous?.series[n])])
}

const FIGURES = [
  'accepted',
  'delivered',
  'read',
  'failed',
  'unknown',
  'canceled',
  'pages',
  'cost',
  'refunded',
  'delivery_rate',
] as const
const OTP_FIGURES = ['requested', 'verified', 'failed', 'unverified', 'conversion'].map((name) => `otp_${name}`)

function cellsOf(figures: AnalyticsFigures, otps: boolean): string[] {
  const { otp } = figures
  const of_otps = [otp?.requested, otp?.verified, otp?.failed, otp?.unverified, otp?.conversion]
  return [...FIGURES.map((name) => figures[name]), ...(otps ? of_otps : [])].map((figure) => String(figure ?? ''))
}
