import type { AnalyticsFigures, AnalyticsAnswer as AnalyticsReport } from '../../../../clients/typescript/src/types.ts'
import { chosen } from '../../text/language.ts'
import { t } from '../../text/text.ts'
import { channelName } from '../messages/messages.ts'

export type Figures = AnalyticsFigures
export type Report = AnalyticsReport
export type By = NonNullable<Report['by']>
export type Tab = 'messages' | 'otp'

/** A figure that can be drawn, sorted by and read off. */
export type Metric<F = Figures> = {
  name: string
  title: string
  of: (figures: F) => number | undefined
  form: 'count' | 'share' | 'money'
}

/** Figures over time, and those of the time before. */
export type Course<F = Figures> = Pick<Report, 'interval' | 'time_zone' | 'currency'> & {
  series: readonly (F & { start_datetime: string })[]
  totals: F
  previous?: { series: readonly F[]; totals: F }
}

export const METRICS: Record<Tab, readonly Metric[]> = {
  messages: [
    { name: 'accepted', title: t('Accepted'), form: 'count', of: ({ accepted }) => accepted },
    { name: 'delivered', title: t('Delivered'), form: 'count', of: ({ delivered }) => delivered },
    { name: 'read', title: t('Read||messages'), form: 'count', of: ({ read }) => read },
    { name: 'failed', title: t('Failed'), form: 'count', of: ({ failed }) => failed },
    { name: 'rate', title: t('Delivery rate'), form: 'share', of: ({ delivery_rate }) => delivery_rate },
    { name: 'pages', title: t('Pages'), form: 'count', of: ({ pages }) => pages },
    { name: 'cost', title: t('Cost'), form: 'money', of: ({ cost, refunded }) => cost - refunded },
  ],
  otp: [
    { name: 'requested', title: t('Requested'), form: 'count', of: ({ otp }) => otp?.requested },
    { name: 'verified', title: t('Verified'), form: 'count', of: ({ otp }) => otp?.verified },
    { name: 'otp_failed', title: t('Failed'), form: 'count', of: ({ otp }) => otp?.failed },
    { name: 'unverified', title: t('Unverified'), form: 'count', of: ({ otp }) => otp?.unverified },
    { name: 'conversion', title: t('Conversion'), form: 'share', of: ({ otp }) => otp?.conversion },
  ],
}

/** Of errors there is only how many failed for them. */
export function metricsOf(tab: Tab, by: By): readonly Metric[] {
  if (tab === 'messages' && by === 'error') return METRICS.messages.filter(({ name }) => name === 'failed')
  return METRICS[tab]
}

/** Dimensions of messages: label above the table and in the selection. */
export const DIMENSIONS: Record<By, { title: string; heading: string; choice: string }> = {
  country: { title: t('Country'), heading: t('By country'), choice: t('by country') },
  operator: { title: t('Operator||a mobile network'), heading: t('By operator'), choice: t('by operator') },
  channel: { title: t('Channel'), heading: t('By channel'), choice: t('by channel') },
  sender: { title: t('Sender'), heading: t('By sender'), choice: t('by sender') },
  route: { title: t('Route'), heading: t('By route'), choice: t('by route') },
  error: { title: t('Error'), heading: t('By error'), choice: t('by error') },
  template: { title: t('Template'), heading: t('By template'), choice: t('by template') },
}
/** Dimensions of one-time passwords. */
export const OTP_DIMENSIONS: readonly By[] = ['country', 'operator']

const countries = new Intl.DisplayNames(chosen.language, { type: 'region' })

function countryName(code: string): string {
  if (code === '') return t('Unknown||a country')
  return /^[A-Z]{2}$/.test(code) ? (countries.of(code) ?? code) : code
}

const NONE: Record<Exclude<By, 'country' | 'operator' | 'channel'>, string> = {
  sender: t('No sender'),
  route: t('No route'),
  error: t('No error'),
  template: t('No template'),
}

/** A value of a dimension in words. */
export function valueName(by: By, value: string, name?: string): string {
  if (name !== undefined) return name
  if (by === 'country') return countryName(value)
  if (by === 'operator') {
    const [country = '', ...operator] = value.split(' ')
    if (operator.length === 0) return t('Unknown, {country}||an operator', { country: countryName(country) })
    return `${operator.join(' ')}, ${countryName(country)}`
  }
  if (by === 'channel') return channelName(value)
  return value === '' ? NONE[by] : value
}

/** How a step of the series is called, by the clock of the organisation. */
export function stepNames({ interval, time_zone }: Pick<Report, 'interval' | 'time_zone'>): {
  short: (at: string) => string
  long: (at: string) => string
} {
  const format = (options: Intl.DateTimeFormatOptions) => {
    const made = new Intl.DateTimeFormat(chosen.dates, { timeZone: time_zone, ...options })
    return (at: string) => made.format(new Date(at))
  }
  if (interval === 'month') {
    return { short: format({ month: 'short' }), long: format({ month: 'long', year: 'numeric' }) }
  }
  const day: Intl.DateTimeFormatOptions = { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' }
  if (interval === 'day') return { short: format({ day: 'numeric', month: 'short' }), long: format(day) }
  return {
    short: format({ day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' }),
    long: format({ ...day, hour: '2-digit', minute: '2-digit' }),
  }
}
