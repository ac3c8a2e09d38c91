import type { Db } from '../../src/db/connect.ts'

/** Whether a statement waits for a lock in this database, on any of its nodes. */
export async function somebodyWaits(db: Db): Promise<boolean> {
  return (await countWaiting(db)) > 0
}

/** Statements that wait for a lock in this database, on all of its nodes. */
export async function countWaiting(db: Db): Promise<number> {
  const [row] = db.distributed
    ? await db<{ count: number }[]>`
        select coalesce(sum(result::integer), 0)::integer as count from run_command_on_all_nodes(
          'select count(*) from pg_stat_activity
           where wait_event_type = ''Lock'' and datname = current_database()'
        )`
    : await db<{ count: number }[]>`
        select count(*)::integer as count from pg_stat_activity
        where wait_event_type = 'Lock' and datname = current_database()`
  return row?.count ?? 0
}

/** Ends the connections that wait for a lock in this database, on all of its nodes; returns how many. */
export async function endWaiting(db: Db): Promise<number> {
  const [row] = db.distributed
    ? await db<{ count: number }[]>`
        select coalesce(sum(result::integer), 0)::integer as count from run_command_on_all_nodes(
          'select count(*) filter (where pg_terminate_backend(pid)) from pg_stat_activity
           where wait_event_type = ''Lock'' and datname = current_database()'
        )`
    : await db<{ count: number }[]>`
        select (count(*) filter (where pg_terminate_backend(pid)))::integer as count from pg_stat_activity
        where wait_event_type = 'Lock' and datname = current_database()`
  return row?.count ?? 0
}
