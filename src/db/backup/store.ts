import type { Db } from '../connect.ts'
import { LOCKS } from '../locks.ts'
import type { Sql } from '../sql.ts'

/** A failed backup, or one whose process died, is retried after this time. */
const RETRY_MINUTES = 15
const RETENTION_DAYS = 90
const MAX_FAULT_LENGTH = 500

/** A session lock: released when the process dies. */
export async function lockSchedule(connection: Sql): Promise<boolean> {
  const [row] = await connection<{ locked: boolean }[]>`select pg_try_advisory_lock(${LOCKS.backup_schedule}) as locked`
  return row?.locked === true
}

export async function unlockSchedule(connection: Sql): Promise<void> {
  await connection`select pg_advisory_unlock(${LOCKS.backup_schedule})`
}

/** Records the start of a backup if one is due, and returns its file name; undefined if none is due. */
export async function beginBackup(db: Db, id: string, every_hours: number): Promise<string | undefined> {
  const [row] = await db<{ file: string }[]>`
    insert into backups (id, file)
    select ${id}, to_char(now() at time zone 'UTC', '"gangan-"YYYYMMDD"T"HH24MISS"Z.backup.gz"')
    where not exists (
      select from backups
      where (begun_datetime > now() - ${every_hours} * interval '1 hour' and ended_datetime is not null and fault is null)
        or begun_datetime > now() - ${RETRY_MINUTES} * interval '1 minute'
    )
    returning file`
  return row?.file
}

export async function endBackup(db: Db, id: string, outcome: { bytes: number } | { fault: string }): Promise<void> {
  const bytes = 'bytes' in outcome ? outcome.bytes : null
  const fault = 'fault' in outcome ? outcome.fault.slice(0, MAX_FAULT_LENGTH) : null
  await db`update backups set ended_datetime = now(), bytes = ${bytes}, fault = ${fault} where id = ${id}`
  await db`delete from backups where begun_datetime < now() - ${RETENTION_DAYS} * interval '1 day'`
}

/** Start of the newest complete backup in Unix time, its size, and the failures since then. */
export type LastBackup = { begun_s: number; bytes: number; failures: number }

/** Undefined if none was ever started. */
export async function readLastBackup(db: Db): Promise<LastBackup | undefined> {
  const [row] = await db<(LastBackup & { tries: number })[]>`
    with whole as (
      select begun_datetime, bytes from backups where ended_datetime is not null and fault is null
      order by begun_datetime desc limit 1
    )
    select count(*)::integer as tries,
      coalesce((select extract(epoch from begun_datetime) from whole), 0)::float8 as begun_s,
      coalesce((select bytes from whole), 0)::float8 as bytes,
      (count(*) filter (where fault is not null
        and begun_datetime > coalesce((select begun_datetime from whole), '-infinity')))::integer as failures
    from backups`
  return row && row.tries > 0 ? row : undefined
}
