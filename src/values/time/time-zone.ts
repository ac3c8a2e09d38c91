/** A date by the calendar, `2026-11-16`. */
export type DateText = string

/** Whether it is the name of a time zone, such as `Africa/Lagos`. An offset is none: summer time would be lost. */
export function isTimeZone(name: string): boolean {
  if (!NAME.test(name)) return false
  try {
    return formatOf(name) !== undefined
  } catch {
    return false
  }
}

const NAME = /^[A-Za-z][A-Za-z0-9_+-]{1,30}(\/[A-Za-z0-9_+-]{1,30}){0,2}$/

/** The date that calendars show in a zone at a moment. */
export function dateIn(zone: string, at_ms: number): DateText {
  const { year, month, day } = clockIn(zone, at_ms)
  return `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`
}

/** The hour of a zone's clock that a moment lies in, as the moment it began: some zones are half an hour off. */
export function hourIn(zone: string, at_ms: number): number {
  const { minute } = clockIn(zone, at_ms)
  return Math.floor(at_ms / MINUTE_MS) * MINUTE_MS - minute * MINUTE_MS
}

/**
 * The first moment of a date in a zone. That is midnight, but for days on which the clocks change just then: where the
 * hour is left out it is what the clocks jump to, where it comes twice it is the first one.
 */
export function startOfDay(zone: string, date: DateText): number {
  const midnight = Date.parse(`${date}T00:00:00Z`)
  const candidates = [midnight - offsetIn(zone, midnight - DAY_MS), midnight - offsetIn(zone, midnight + DAY_MS)]
  const fitting = candidates.filter((at_ms) => dateIn(zone, at_ms) === date)
  // A zone that crossed the date line has left a whole day out: that day is over as it begins.
  return fitting.length > 0 ? Math.min(...fitting) : Math.max(...candidates)
}

/** So many days later by the calendar. */
export function daysLater(date: DateText, days: number): DateText {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)
}

/** From one date to another; 1 for the day after. */
export function daysBetween(from: DateText, until: DateText): number {
  return Math.round((Date.parse(until) - Date.parse(from)) / DAY_MS)
}

/** The same date in another year; the end of February where it has no 29th. */
export function yearBefore(date: DateText): DateText {
  const year = String(Number(date.slice(0, 4)) - 1).padStart(4, '0')
  const same = `${year}${date.slice(4)}`
  return isDate(same) ? same : `${year}-02-28`
}

/** Whether it is a date of the calendar, in four digits of year. */
export function isDate(text: string): boolean {
  if (!/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(text)) return false
  const at_ms = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(at_ms) && new Date(at_ms).toISOString().slice(0, 10) === text
}

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

type Clock = { year: number; month: number; day: number; hour: number; minute: number }

/** How far the clocks of a zone are ahead of UTC. */
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
    // Names come in any case, so there could be more of them than there are zones.
    if (formats.size >= MOST_FORMATS) formats.clear()
    formats.set(zone, format)
  }
  return format
}

// Making one takes a hundred times as long as using it, so unlike elsewhere the module keeps them.
const formats = new Map<string, Intl.DateTimeFormat>()
const MOST_FORMATS = 600
