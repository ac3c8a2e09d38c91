import type { Db } from '../connect.ts'
import { LOCKS } from '../locks.ts'
import type { Sql } from '../sql.ts'

/** One that failed, or whose process died, is tried again after this. */
const AGAIN_MINUTES = 15
const REMEMBERED_DAYS = 90
const LONGEST_FAULT = 500

/** The lock goes with the connection, so a process that dies gives it back. */
export async function lockSchedule(connection: Sql): Promise<boolean> {
  const [row] = await connection<{ locked: boolean }[]>`select pg_try_advisory_lock(${LOCKS.backup_schedule}) as locked`
  return row?.locked === true
}

export async function unlockSchedule(connection: Sql): Promise<void> {
  await connection`select pg_advisory_unlock(${LOCKS.backup_schedule})`
}

/** Notes that a backup begins, if one is due, and names it after this moment; undefined when none is. */
export async function beginBackup(db: Db, id: string, every_hours: number): Promise<string | undefined> {
  const [row] = await db<{ file: string }[]>`
    insert into backups (id, file)
    select ${id}, to_char(now() at time zone 'UTC', '"gangan-"YYYYMMDD"T"HH24MISS"Z.backup.gz"')
    where not exists (
      select from backups
      where (begun_datetime > now() - ${every_hours} * interval '1 hour' and ended_datetime is not null and fault is null)
        or begun_datetime > now() - ${AGAIN_MINUTES} * interval '1 minute'
    )
    returning file`
  return row?.file
}

export async function endBackup(db: Db, id: string, outcome: { bytes: number } | { fault: string }): Promise<void> {
  const bytes = 'bytes' in outcome ? outcome.bytes : null
  const fault = 'fault' in outcome ? outcome.fault.slice(0, LONGEST_FAULT) : null
  await db`update backups set ended_datetime = now(), bytes = ${bytes}, fault = ${fault} where id = ${id}`
  await db`delete from backups where begun_datetime < now() - ${REMEMBERED_DAYS} * interval '1 day'`
}

/** When the newest whole backup began, in seconds since 1970, its size, and the tries since then that came to nothing. */
export type LastBackup = { begun_s: number; bytes: number; failures: number }

/** Undefined where none was ever tried. */
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
