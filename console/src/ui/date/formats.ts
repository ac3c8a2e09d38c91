import { chosen } from '../../text/language.ts'

const CLOCK = { hour: '2-digit', minute: '2-digit' } as const
const DAY = { day: 'numeric', month: 'short' } as const
const STYLES = {
  clock: CLOCK,
  clock_s: { ...CLOCK, second: '2-digit' },
  day: DAY,
  day_clock: { ...DAY, ...CLOCK },
  date: { ...DAY, year: 'numeric' },
  year: { year: 'numeric' },
  moment: { dateStyle: 'medium', timeStyle: 'medium' },
  whole: { dateStyle: 'full', timeStyle: 'medium' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>

type Style = keyof typeof STYLES

/** Creating a formatter costs far more than using it. A page has one time zone, and another one now and then. */
const MOST_FORMATS = 32
const made = new Map<string, Intl.DateTimeFormat>()

/** A moment, written in the page's language and in a time zone. */
export function written(moment: Date | number, style: Style, zone: string): string {
  const key = `${style} ${zone}`
  let format = made.get(key)
  if (!format) {
    format = new Intl.DateTimeFormat(chosen.dates, { ...STYLES[style], timeZone: zone })
    if (made.size >= MOST_FORMATS) made.clear()
    made.set(key, format)
  }
  return format.format(moment)
}
