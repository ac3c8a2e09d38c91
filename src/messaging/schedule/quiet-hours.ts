import { zonesOf } from '../../values/time/country-zones.ts'

const MINUTE_MS = 60_000
const DAY_MINUTES = 1_440
/** Daylight saving time may start or end meanwhile, so the local time is computed at least once per hour. */
const STEP_MINUTES = 60
/** A moment outside the quiet hours of all zones of a country comes within four days, or never. */
const MAX_STEPS = 4 * 24

/**
 * When the quiet hours that `asked` falls into end, by country; undefined outside of them. A number has a country but no
 * location, so the moment must be outside the quiet hours in all time zones of the country. Where the zones are so far apart
 * that there is no such moment, the first one counts, which is the capital's.
 */
export function makeQuietHours(
  { quiet_from, quiet_until }: { quiet_from: string; quiet_until: string },
  asked: number,
): (country: string) => number | undefined {
  const hours = { from: minutesOf(quiet_from), until: minutesOf(quiet_until) }
  const known = new Map<string, number>()
  return (country) => {
    let end = known.get(country)
    if (end === undefined) {
      const zones = zonesOf(country)
      end = endIn(zones, hours, asked) ?? endIn(zones.slice(0, 1), hours, asked) ?? asked
      known.set(country, end)
    }
    return end === asked ? undefined : end
  }
}

type Hours = { from: number; until: number }

function endIn(zones: readonly string[], hours: Hours, asked: number): number | undefined {
  let at = asked
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const waits = zones.map((zone) => waitIn(hours, localMinutes(zone, at)))
    const longest = Math.max(0, ...waits)
    if (longest === 0) return at
    // Quiet hours end at a full minute.
    at = Math.floor(at / MINUTE_MS) * MINUTE_MS + Math.min(longest, STEP_MINUTES) * MINUTE_MS
  }
  return undefined
}

/** Minutes until the quiet hours end, at this time of day. */
function waitIn({ from, until }: Hours, minute: number): number {
  const length = (until - from + DAY_MINUTES) % DAY_MINUTES
  const since = (minute - from + DAY_MINUTES) % DAY_MINUTES
  return since < length ? length - since : 0
}

function minutesOf(clock: string): number {
  return 60 * Number(clock.slice(0, 2)) + Number(clock.slice(3, 5))
}

// Creating one takes some tenths of a millisecond, using one a few thousandths; there are as many as time zones.
const formats = new Map<string, Intl.DateTimeFormat>()

function localMinutes(zone: string, at: number): number {
  let format = formats.get(zone)
  if (!format) {
    format = new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
    formats.set(zone, format)
  }
  return minutesOf(format.format(at))
}
