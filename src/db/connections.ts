import type { Db } from './connect.ts'

/** Connections to this database by state, of all processes. */
export async function measureConnections(db: Db): Promise<{ state: string; count: number }[]> {
  return db<{ state: string; count: number }[]>`
    select coalesce(state, 'unknown') as state, count(*)::integer as count
    from pg_stat_activity
    where datname = current_database() and backend_type = 'client backend'
    group by 1`
}
