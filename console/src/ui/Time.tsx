import { chosen } from '../text/language.ts'
import { number, t } from '../text/text.ts'

const clock = new Intl.DateTimeFormat(chosen.dates, { hour: '2-digit', minute: '2-digit', second: '2-digit' })
const day = new Intl.DateTimeFormat(chosen.dates, {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
})
const date = new Intl.DateTimeFormat(chosen.dates, { day: 'numeric', month: 'short', year: 'numeric' })
const whole = new Intl.DateTimeFormat(chosen.dates, { dateStyle: 'full', timeStyle: 'long' })

/** Today by the clock, this year by the day, before that by the date; whole when pointed at. */
export function Time({ at, seconds = true }: { at: string | undefined; seconds?: boolean }) {
  if (at === undefined) return <span className="soft">–</span>
  const moment = new Date(at)
  return (
    <time dateTime={at} title={whole.format(moment)} className="nowrap">
      {shortTime(moment, seconds)}
    </time>
  )
}

export function shortTime(moment: Date, seconds = true): string {
  const now = new Date()
  if (moment.toDateString() === now.toDateString()) {
    const text = clock.format(moment)
    return seconds ? text : text.slice(0, 5)
  }
  return moment.getFullYear() === now.getFullYear() ? day.format(moment) : date.format(moment)
}

/** `850 ms`, `12 s`, `3 min`, `2 h`, `4 d`. */
export function duration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`
  if (ms < 90_000) return `${number(Number((ms / 1_000).toPrecision(2)))} s`
  if (ms < 5_400_000) return `${Math.round(ms / 60_000)} min`
  if (ms < 129_600_000) return `${Math.round(ms / 3_600_000)} h`
  return t('{n} d||days', { n: Math.round(ms / 86_400_000) })
}
