import { fromDate, startOfMonth, toCalendarDate, type CalendarDate } from '@internationalized/date'
import { t } from '../../text/text.ts'

/** Common periods, in the organisation's time zone. */
export const RANGES = [
  { value: 'today', label: t('Today') },
  { value: 'yesterday', label: t('Yesterday') },
  { value: '7d', label: t('Last 7 days') },
  { value: '30d', label: t('Last 30 days') },
  { value: 'month', label: t('This month') },
  { value: 'last-month', label: t('Last month') },
] as const

export type Moments = { from: Date | undefined; until: Date | undefined }

/**
 * The start and end of a selected period: from the start of a day until the start of another, or open-ended if it lasts
 * until now. Seven days are today and the six before it. `from` and `until` are custom dates.
 */
export function momentsOf(
  { range, from, until }: { range?: string; from?: string; until?: string },
  time_zone: string,
  now = new Date(),
): Moments {
  const today = toCalendarDate(fromDate(now, time_zone))
  const start = (date: CalendarDate) => date.toDate(time_zone)
  const day = (days: number) => start(today.add({ days }))
  const month = (months: number) => start(startOfMonth(today).add({ months }))
  switch (range) {
    case 'today':
      return { from: day(0), until: undefined }
    case 'yesterday':
      return { from: day(-1), until: day(0) }
    case '7d':
      return { from: day(-6), until: undefined }
    case '30d':
      return { from: day(-29), until: undefined }
    case 'month':
      return { from: month(0), until: undefined }
    case 'last-month':
      return { from: month(-1), until: month(0) }
    case undefined:
    default:
      return { from: momentOf(from), until: momentOf(until) }
  }
}

/** A time from the address may be invalid. */
function momentOf(text: string | undefined): Date | undefined {
  const moment = text ? new Date(text) : undefined
  return moment && !Number.isNaN(moment.getTime()) ? moment : undefined
}
