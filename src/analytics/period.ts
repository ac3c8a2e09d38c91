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
import { MOST_DAYS, MOST_DAYS_BY_HOUR, type AnalyticsQuery, type Interval } from './schema.ts'

/** Some days, as calendars name them and as moments, with the moments at which its steps begin. */
export type Period = { from: DateText; until: DateText; starts: number[]; ends_ms: number }

type Clock = { time_zone: string; now_ms: number }

const HOUR_MS = 3_600_000
/** Without other wishes: the last thirty days. */
const USUAL_DAYS = 30
/** Before and after these nothing was ever counted; some calendars lose their way there. */
const FIRST: DateText = '2000-01-01'
const LAST: DateText = '2199-12-31'

/** Reads which days are meant and how they are told apart; refuses with all faults at once. */
export function readPeriod(
  clock: Clock,
  query: Partial<AnalyticsQuery>,
  shape_faults: readonly Fault[],
): { stretch: Period; interval: Interval; previous: Period | undefined } {
  const faults = [...shape_faults]
  const misshapen = new Set(faults.map(({ field }) => field))
  const sound = <F extends keyof AnalyticsQuery>(field: F) => (misshapen.has(field) ? undefined : query[field])
  const until = readDate('until', sound('until'), faults) ?? dateIn(clock.time_zone, clock.now_ms)
  const from = readDate('from', sound('from'), faults) ?? daysLater(until, 1 - USUAL_DAYS)
  const interval = sound('interval') ?? 'day'
  if (faults.every(({ field }) => field !== 'from' && field !== 'until')) checkLength(from, until, interval, faults)
  if (sound('value') !== undefined && query.by === undefined) {
    faults.push({ field: 'by', message: 'A value needs to be said what of.', type: 'missing' })
  }
  if (!isStorable(sound('value') ?? '')) {
    faults.push({ field: 'value', message: 'No value has such a character.', type: 'invalid' })
  }
  refuseIfFaulty(faults)
  const stretch = stretchOf(clock.time_zone, from, until, interval)
  return { stretch, interval, previous: sound('compare') && before(clock, stretch, interval, sound('compare')) }
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
    faults.push({ field: 'until', message: 'The last day lies before the first.', type: 'greater_than_equal' })
  } else if (days > MOST_DAYS) {
    const message = `From the first day to the last are at most ${MOST_DAYS} days.`
    faults.push({ field: 'until', message, type: 'less_than_equal' })
  } else if (interval === 'hour' && days > MOST_DAYS_BY_HOUR) {
    const message = `By the hour at most ${MOST_DAYS_BY_HOUR} days can be told.`
    faults.push({ field: 'interval', message, type: 'invalid' })
  }
}

function stretchOf(zone: string, from: DateText, until: DateText, interval: Interval): Period {
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

/** As many days before, or the same a year ago. Of a stretch that is not over, as far as that has come. */
function before(
  clock: Clock,
  { from, until, starts, ends_ms }: Period,
  interval: Interval,
  compare: AnalyticsQuery['compare'],
): Period {
  const earlier =
    compare === 'previous_year'
      ? stretchOf(clock.time_zone, yearBefore(from), yearBefore(until), interval)
      : stretchOf(clock.time_zone, daysLater(from, -daysBetween(from, until) - 1), daysLater(from, -1), interval)
  const [began_ms = ends_ms] = starts
  const [earlier_ms = earlier.ends_ms] = earlier.starts
  if (clock.now_ms >= ends_ms || clock.now_ms < began_ms) return earlier
  const hours = Math.ceil((clock.now_ms - began_ms + 1) / HOUR_MS)
  return { ...earlier, ends_ms: Math.min(earlier.ends_ms, earlier_ms + hours * HOUR_MS) }
}
