import { useContext } from 'react'
import { SessionContext } from '../../session.ts'
import { chosen } from '../../text/language.ts'

/** Times are written and read in the time zone of the organisation; without a session, in that of the browser. */
export function useZone(): string {
  return useContext(SessionContext)?.organisation.time_zone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone
}

/** `Lagos, UTC+1`, with the offset at the moment that is picked, or now: summer time changes it. */
export function zoneName(zone: string, picked: string): string {
  const at = Number.isNaN(Date.parse(picked)) ? new Date() : new Date(picked)
  const parts = new Intl.DateTimeFormat(chosen.dates, { timeZone: zone, timeZoneName: 'shortOffset' }).formatToParts(at)
  const offset = parts.find(({ type }) => type === 'timeZoneName')?.value.replace('GMT', 'UTC') ?? ''
  const city = zone.split('/').at(-1)?.replaceAll('_', ' ') ?? zone
  return city === offset ? city : `${city}, ${offset}`
}
