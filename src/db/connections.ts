import type { Db } from './connect.ts'

/** Connections to this database by state, of all processes. */
export async function measureConnections(db: Db): Promise<{ state: string; count: number }[]> {
  return db<{ state: string; count: number }[]>`
    select coalesce(state, 'unknown') as state, count(*)::integer as count
    from pg_stat_activity
    where datname = current_database() and backend_type = 'client backend'
    group by 1`
}

/** How many connections the server allows ordinary users. */
export async function readConnectionsLimit(db: Db): Promise<number> {
  const [row] = await db<{ limit: number }[]>`
    select current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer
      as limit`
  return row?.limit ?? 0
}

/** Bytes of this database on disk. */
export async function measureSize(db: Db): Promise<number> {
  const [row] = await db<{ bytes: number }[]>`select pg_database_size(current_database())::float8 as bytes`
  return row?.bytes ?? 0
}

export async function isAnswering(db: Db): Promise<boolean> {
  return (await db`select 1`).length > 0
}
