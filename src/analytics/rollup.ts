import type { Db } from '../db/connect.ts'
import { findOldHours, rollUpDay, deleteHour } from '../observe/analytics/store.ts'
import { readClock } from '../organisations/time-zone.ts'
import { dateIn, daysLater, startOfDay } from '../values/time/time-zone.ts'

const BATCH = 1_000

/** Replaces old hourly rows by daily ones, in the time zone of their organisation; a large backlog takes several runs. */
export async function rollUpAnalytics(db: Db, older_than_days: number): Promise<void> {
  const done = new Set<string>()
  for (const { organisation_id, hour_s } of await findOldHours(db, older_than_days, false, BATCH)) {
    const { time_zone } = await readClock(db, organisation_id)
    const date = dateIn(time_zone, hour_s * 1_000)
    if (done.has(`${organisation_id} ${date}`)) continue
    done.add(`${organisation_id} ${date}`)
    await rollUpDay(db, organisation_id, startOfDay(time_zone, date), startOfDay(time_zone, daysLater(date, 1)))
  }
}

/** Deletes rows older than the retention, hourly and daily ones. */
export async function deleteExpiredAnalytics(db: Db, older_than_days: number): Promise<void> {
  for (const is_day of [true, false]) {
    for (const { organisation_id, hour_s } of await findOldHours(db, older_than_days, is_day, BATCH)) {
      await deleteHour(db, organisation_id, hour_s * 1_000)
    }
  }
}
