import { makeQuietHours } from '../messaging/schedule/quiet-hours.ts'

export type Hours = { country: string; from_hour: number; to_hour: number; per_day: number }

const HOUR_MS = 3_600_000

/**
 * When the next probe of a plan is due: after half to one and a half of the mean interval, so that the carrier sees no
 * pattern, and within the hours of the plan. `random` is at least 0 and less than 1.
 */
export function nextProbe({ country, from_hour, to_hour, per_day }: Hours, now_ms: number, random: number): number {
  const mean_ms = ((to_hour - from_hour) * HOUR_MS) / per_day
  const next_ms = now_ms + mean_ms * (0.5 + random)
  if (to_hour - from_hour === 24) return next_ms
  const quiet = { quiet_from: clock(to_hour), quiet_until: clock(from_hour) }
  const opens_ms = makeQuietHours(quiet, next_ms)(country)
  return opens_ms === undefined ? next_ms : opens_ms + mean_ms * random
}

function clock(hour: number): string {
  return `${String(hour % 24).padStart(2, '0')}:00`
}
