import type { Db } from '../connect.ts'

/**
 * Commits a transaction that has a number, so that the log contains the time: a recovery to a moment after the last commit
 * of an archive is refused, also while nothing happens.
 */
export async function markMoment(db: Db): Promise<void> {
  await db`select pg_current_xact_id()`
}

/** Ends the segment that is being written, so that it is archived. */
export async function switchSegment(db: Db): Promise<void> {
  await db`select pg_switch_wal()`
}

/** The segment whose archiving failed, if none was archived since. */
export async function readLastFailure(db: Db): Promise<string | undefined> {
  const [row] = await db<{ segment: string }[]>`
    select last_failed_wal as segment from pg_stat_archiver
    where last_failed_time > coalesce(last_archived_time, '-infinity')`
  return row?.segment
}
