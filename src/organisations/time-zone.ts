import type { Db } from '../db/connect.ts'
import { zonesOf } from '../values/time/country-zones.ts'
import { readClockRow } from './settings-store.ts'

/** The time zone of an organisation: its own choice, else that of its country's capital. */
export function timeZoneOf({
  time_zone,
  default_country,
}: {
  time_zone: string | null
  default_country: string | null
}): string {
  return time_zone ?? zonesOf(default_country ?? '')[0] ?? 'UTC'
}

/** The same, with the current time of the database. */
export async function readClock(db: Db, organisation_id: string): Promise<{ time_zone: string; now_ms: number }> {
  const row = await readClockRow(db, organisation_id)
  return { time_zone: timeZoneOf(row), now_ms: row.now_ms }
}
