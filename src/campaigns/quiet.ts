import type { Sender } from '../messaging/draft.ts'
import { makeQuietHours } from '../messaging/schedule/quiet-hours.ts'
import type { CampaignRow } from './store.ts'

/** The quiet hours of a campaign: its own, or the organisation's for a promotional one. */
export function quietHoursOf(
  { quiet_from, quiet_until, message }: Pick<CampaignRow, 'quiet_from' | 'quiet_until' | 'message'>,
  sender: Pick<Sender, 'quiet_from' | 'quiet_until'>,
): { quiet_from: string; quiet_until: string } | undefined {
  if (quiet_from !== null && quiet_until !== null) return { quiet_from, quiet_until }
  if (message.route_class !== 'promotional') return undefined
  if (sender.quiet_from === null || sender.quiet_until === null) return undefined
  return { quiet_from: sender.quiet_from, quiet_until: sender.quiet_until }
}

/** The countries outside quiet hours now; if there are none, the time until the first one is. */
export function awakeCountries(
  hours: { quiet_from: string; quiet_until: string },
  countries: readonly string[],
  default_country: string,
  now: number = Date.now(),
): { awake: string[]; wait_ms: number } {
  const endOfQuiet = makeQuietHours(hours, now)
  const ends = countries.map((country) => ({ country, end: endOfQuiet(country || default_country) }))
  const awake = ends.filter(({ end }) => end === undefined).map(({ country }) => country)
  const first = Math.min(...ends.map(({ end }) => end ?? now))
  return { awake, wait_ms: Math.max(0, first - now) }
}
