import type { Db } from '../connect.ts'

/**
 * Finds out whether the tables of a database lie on a cluster (`gangan migrate --distributed`), and notes it. Once for
 * each process: a database becomes distributed while none runs.
 */
export async function noteLayout(db: Db): Promise<void> {
  const [row] = await db<{ known: boolean }[]>`select to_regclass('pg_dist_partition') is not null as known`
  if (!row?.known) return
  const tables = await db`
    select 1 from pg_dist_partition where logicalrelid = to_regclass('messages') and partmethod = 'h'`
  db.distributed = tables.length > 0
}
