import { connectionsOf } from '../../db/layout.ts'
import type { Db } from '../../db/connect.ts'
import { prepare } from '../../db/sql.ts'
import { ALL, DIMENSIONS, MAX_VALUES, type Counted, type Dimension } from './figures.ts'

export type HourRow = { dimension: Dimension | typeof ALL; hour_ms: number; value: string; counted: Counted }

/** Adds to the hours of one organisation (functions/analytics.sql). Each hour includes its row of dimension `all`. */
export async function addAnalytics(db: Db, organisation_id: string, rows: readonly HourRow[]): Promise<void> {
  const there = connectionsOf(db, organisation_id)
  const column = (figure: keyof Counted): number[] => rows.map(({ counted }) => counted[figure])
  await prepare(there`
    select add_analytics(
      ${organisation_id}, ${MAX_VALUES}::integer,
      ${rows.map(({ dimension }) => dimension)}::text[],
      ${rows.map(({ hour_ms }) => new Date(hour_ms).toISOString())}::timestamptz[],
      ${rows.map(({ value }) => value)}::text[],
      ${column('accepted')}::bigint[], ${column('delivered')}::bigint[], ${column('failed')}::bigint[],
      ${column('unknown')}::bigint[], ${column('canceled')}::bigint[], ${column('pages')}::bigint[],
      ${column('cost')}::bigint[], ${column('refunded')}::bigint[], ${column('otp_requested')}::bigint[],
      ${column('otp_verified')}::bigint[], ${column('otp_failed')}::bigint[], ${column('read')}::bigint[]
    )`)
}

export type OldHour = { organisation_id: string; hour_s: number }

/** Hourly rows (or daily rows) older than the given days; the oldest first. */
export async function findOldHours(
  db: Db,
  older_than_days: number,
  is_day: boolean,
  limit: number,
): Promise<OldHour[]> {
  return db<OldHour[]>`
    select organisation_id, extract(epoch from hour)::float8 as hour_s from analytics
    where dimension = 'all' and is_day = ${is_day} and hour < now() - ${older_than_days} * interval '1 day'
    order by hour limit ${limit}`
}

/** Replaces the hourly rows of a day by daily ones. */
export async function rollUpDay(db: Db, organisation_id: string, began_ms: number, ended_ms: number): Promise<void> {
  await db`
    select fold_analytics(
      ${organisation_id}, ${MAX_VALUES}::integer, ${new Date(began_ms).toISOString()}::timestamptz,
      ${new Date(ended_ms).toISOString()}::timestamptz
    )`
}

export async function deleteHour(db: Db, organisation_id: string, hour_ms: number): Promise<void> {
  await db`
    delete from analytics
    where organisation_id = ${organisation_id} and dimension = any (${[ALL, ...DIMENSIONS]}::text[])
      and hour = ${new Date(hour_ms).toISOString()}::timestamptz`
}
