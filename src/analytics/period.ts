import { refuseIfFaulty, type Fault } from '../values/refusal.ts'
import { isStorable } from '../values/input/storable.ts'
import {
  dateIn,
  daysBetween,
  daysLater,
  isDate,
  startOfDay,
  yearBefore,
  type DateText,
} from '../values/time/time-zone.ts'
import { MAX_DAYS, MAX_DAYS_BY_HOUR, type AnalyticsQuery, type Interval } from './schema.ts'

/** A range of days, as dates and as moments, with the moments at which its steps begin. */
export type Period = { from: DateText; until: DateText; starts: number[]; ends_ms: number }

type Clock = { time_zone: string; now_ms: number }

const HOUR_MS = 3_600_000
const DEFAULT_DAYS = 30
/** Dates outside of this range are refused. */
const FIRST: DateText = '2000-01-01'
const LAST: DateText = '2199-12-31'

/** Reads period, interval and comparison; refuses with all faults. */
export function readPeriod(
  clock: Clock,
  query: Partial<AnalyticsQuery>,
  shape_faults: readonly Fault[],
): { period: Period; interval: Interval; previous: Period | undefined } {
  const faults = [...shape_faults]
  const misshapen = new Set(faults.map(({ field }) => field))
  const sound = <F extends keyof AnalyticsQuery>(field: F) => (misshapen.has(field) ? undefined : query[field])
  const until = readDate('until', sound('until'), faults) ?? dateIn(clock.time_zone, clock.now_ms)
  const from = readDate('from', sound('from'), faults) ?? daysLater(until, 1 - DEFAULT_DAYS)
  const interval = sound('interval') ?? 'day'
  if (faults.every(({ field }) => field !== 'from' && field !== 'until')) checkLength(from, until, interval, faults)
  if (sound('value') !== undefined && query.by === undefined) {
    faults.push({ field: 'by', message: '`value` requires `by`.', type: 'missing' })
  }
  if (!isStorable(sound('value') ?? '')) {
    faults.push({ field: 'value', message: 'This value holds a character that cannot be stored.', type: 'invalid' })
  }
  refuseIfFaulty(faults)
  const period = periodOf(clock.time_zone, from, until, interval)
  return { period, interval, previous: sound('compare') && before(clock, period, interval, sound('compare')) }
}

function readDate(field: 'from' | 'until', given: string | undefined, faults: Fault[]): DateText | undefined {
  if (given === undefined || given === '') return undefined
  if (isDate(given) && given >= FIRST && given <= LAST) return given
  faults.push({ field, message: 'This is not a date such as 2026-11-01.', type: 'date_invalid' })
  return undefined
}

function checkLength(from: DateText, until: DateText, interval: Interval, faults: Fault[]): void {
  const days = daysBetween(from, until) + 1
  if (days < 1) {
    faults.push({ field: 'until', message: 'The last day is before the first.', type: 'greater_than_equal' })
  } else if (days > MAX_DAYS) {
    const message = `A period has at most ${MAX_DAYS} days.`
    faults.push({ field: 'until', message, type: 'less_than_equal' })
  } else if (interval === 'hour' && days > MAX_DAYS_BY_HOUR) {
    const message = `With interval \`hour\` a period has at most ${MAX_DAYS_BY_HOUR} days.`
    faults.push({ field: 'interval', message, type: 'invalid' })
  }
}

function periodOf(zone: string, from: DateText, until: DateText, interval: Interval): Period {
  const ends_ms = startOfDay(zone, daysLater(until, 1))
  const starts: number[] = []
  if (interval === 'hour') {
    for (let at_ms = startOfDay(zone, from); at_ms < ends_ms; at_ms += HOUR_MS) starts.push(at_ms)
  } else {
    for (let date = from; date <= until; date = daysLater(date, 1)) {
      if (interval === 'day' || date === from || date.endsWith('-01')) starts.push(startOfDay(zone, date))
    }
  }
  return { from, until, starts, ends_ms }
}

/** The preceding days, or the same dates a year ago; of a period in progress, only the part that has elapsed. */
function before(
  clock: Clock,
  { from, until, starts, ends_ms }: Period,
  interval: Interval,
  compare: AnalyticsQuery['compare'],
): Period {
  const earlier =
    compare === 'previous_year'
      ? periodOf(clock.time_zone, yearBefore(from), yearBefore(until), interval)
      : periodOf(clock.time_zone, daysLater(from, -daysBetween(from, until) - 1), daysLater(from, -1), interval)
  const [began_ms = ends_ms] = starts
  const [earlier_ms = earlier.ends_ms] = earlier.starts
  if (clock.now_ms >= ends_ms || clock.now_ms < began_ms) return earlier
  const hours = Math.ceil((clock.now_ms - began_ms + 1) / HOUR_MS)
  return { ...earlier, ends_ms: Math.min(earlier.ends_ms, earlier_ms + hours * HOUR_MS) }
}
