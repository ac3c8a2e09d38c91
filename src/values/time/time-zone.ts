import { makeBoundedCache } from '../concurrency/bounded-cache.ts'

/** A calendar date such as `2026-11-16`. */
export type DateText = string

/** Whether it is an IANA time zone such as `Africa/Lagos`. Offsets are rejected: they have no daylight saving time. */
export function isTimeZone(name: string): boolean {
  if (!NAME.test(name)) return false
  try {
    return formatOf(name) !== undefined
  } catch {
    return false
  }
}

const NAME = /^[A-Za-z][A-Za-z0-9_+-]{1,30}(\/[A-Za-z0-9_+-]{1,30}){0,2}$/

/** The calendar date in a zone at a moment. */
export function dateIn(zone: string, at_ms: number): DateText {
  const { year, month, day } = clockIn(zone, at_ms)
  return `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`
}

/** The start of the hour by a zone's clock; some zones are half an hour off UTC. */
export function hourIn(zone: string, at_ms: number): number {
  const { minute } = clockIn(zone, at_ms)
  return Math.floor(at_ms / MINUTE_MS) * MINUTE_MS - minute * MINUTE_MS
}

/**
 * The first moment of a date in a zone: midnight, unless the clocks change then. A skipped hour gives the moment the
 * clocks jump to, a repeated hour its first occurrence.
 */
export function startOfDay(zone: string, date: DateText): number {
  const midnight = Date.parse(`${date}T00:00:00Z`)
  const candidates = [midnight - offsetIn(zone, midnight - DAY_MS), midnight - offsetIn(zone, midnight + DAY_MS)]
  const fitting = candidates.filter((at_ms) => dateIn(zone, at_ms) === date)
  // A zone that crossed the date line skipped a whole day, which ends as it begins.
  return fitting.length > 0 ? Math.min(...fitting) : Math.max(...candidates)
}

/** The date that many calendar days later. */
export function daysLater(date: DateText, days: number): DateText {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)
}

/** Calendar days from one date to another. */
export function daysBetween(from: DateText, until: DateText): number {
  return Math.round((Date.parse(until) - Date.parse(from)) / DAY_MS)
}

/** The same date one year earlier; 28 February for 29 February. */
export function yearBefore(date: DateText): DateText {
  const year = String(Number(date.slice(0, 4)) - 1).padStart(4, '0')
  const same = `${year}${date.slice(4)}`
  return isDate(same) ? same : `${year}-02-28`
}

/** Whether it is an existing date, `YYYY-MM-DD`. */
export function isDate(text: string): boolean {
  if (!/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(text)) return false
  const at_ms = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(at_ms) && new Date(at_ms).toISOString().slice(0, 10) === text
}

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

type Clock = { year: number; month: number; day: number; hour: number; minute: number }

/** The UTC offset of a zone in milliseconds. */
function offsetIn(zone: string, at_ms: number): number {
  const { year, month, day, hour, minute } = clockIn(zone, at_ms)
  return Date.UTC(year, month - 1, day, hour, minute) - Math.floor(at_ms / MINUTE_MS) * MINUTE_MS
}

function clockIn(zone: string, at_ms: number): Clock {
  const parts = new Map<string, string>(
    formatOf(zone)
      .formatToParts(at_ms)
      .map(({ type, value }) => [type, value]),
  )
  const part = (name: keyof Clock): number => Number(parts.get(name))
  return {
    year: part('year'),
    month: part('month'),
    day: part('day'),
    hour: part('hour'),
    minute: part('minute'),
  }
}

function two(number: number): string {
  return String(number).padStart(2, '0')
}

function formatOf(zone: string): Intl.DateTimeFormat {
  let format = formats.get(zone)
  if (!format) {
    format = new Intl.DateTimeFormat('en-GB', {
      timeZone: zone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    })
    formats.set(zone, format)
  }
  return format
}

// Module state, because constructing a format takes a hundred times as long as using it. Bounded, because zone names
// are accepted in any case.
const formats = makeBoundedCache<string, Intl.DateTimeFormat>(1_200)
