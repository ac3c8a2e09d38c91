import { number, t } from '../text/text.ts'
import { written } from './date/formats.ts'
import { useZone, zoneName } from './date/zone.ts'

/**
 * In the organisation's time zone: today by the clock, this year by the day, before that by the date; whole, with the
 * zone, when pointed at. `zoned` names the zone beside it, for a time at which something will happen.
 */
export function Time({
  at,
  seconds = true,
  zoned = false,
}: {
  at: string | undefined
  seconds?: boolean
  zoned?: boolean
}) {
  const zone = useZone()
  if (at === undefined) return <span className="soft">–</span>
  const moment = new Date(at)
  const name = zoneName(zone, at)
  const time = shortTime(moment, zone, seconds)
  return (
    <time dateTime={at} title={`${written(moment, 'whole', zone)} (${name})`} className="nowrap">
      {zoned ? `${time} (${name})` : time}
    </time>
  )
}

export function shortTime(moment: Date, zone: string, seconds = true): string {
  const now = new Date()
  const date = written(moment, 'date', zone)
  if (date === written(now, 'date', zone)) return written(moment, seconds ? 'clock_s' : 'clock', zone)
  const is_this_year = written(moment, 'year', zone) === written(now, 'year', zone)
  return is_this_year ? written(moment, 'day_clock', zone) : date
}

/** `850 ms`, `12 s`, `3 min`, `2 h`, `4 d`. */
export function duration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`
  if (ms < 90_000) return `${number(Number((ms / 1_000).toPrecision(2)))} s`
  if (ms < 5_400_000) return `${Math.round(ms / 60_000)} min`
  if (ms < 129_600_000) return `${Math.round(ms / 3_600_000)} h`
  return t('{n} d||days', { n: Math.round(ms / 86_400_000) })
}
