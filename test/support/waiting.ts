import type { Db } from '../../src/db/connect.ts'

/** Whether a statement waits for a lock in this database, on any of its nodes. */
export async function somebodyWaits(db: Db): Promise<boolean> {
  const found = db.distributed
    ? await db`
        select 1 from run_command_on_all_nodes(
          'select count(*) from pg_stat_activity
           where wait_event_type = ''Lock'' and datname = current_database()'
        ) where result <> '0'`
    : await db`select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
  return found.length > 0
}
