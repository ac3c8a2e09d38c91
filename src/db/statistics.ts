import type { Db } from './connect.ts'

/** Above this many rows a table without statistics misleads the planner. */
const ENOUGH_ROWS = 200

/**
 * Returns a function that analyzes tables which have no statistics yet. Until then the planner assumes one row per
 * organisation and scans; and autovacuum runs only once a minute. It reads the catalogue only if enough rows were inserted
 * into any table since it last did.
 */
export function makeFirstStatistics(db: Db): () => Promise<string[]> {
  let checked = -Infinity

  return async () => {
    const [row] = await db<{ inserted: number }[]>`
      select pg_stat_get_db_tuples_inserted(oid)::float8 as inserted from pg_database where datname = current_database()`
    const inserted = row?.inserted ?? 0
    if (Math.abs(inserted - checked) <= ENOUGH_ROWS) return [] // a crash of the server resets the counter
    const tables = await db<{ name: string }[]>`
      select quote_ident(relname) as name from pg_stat_user_tables
      where last_analyze is null and last_autoanalyze is null and n_live_tup > ${ENOUGH_ROWS}`
    for (const { name } of tables) await db.unsafe(`analyze ${name}`)
    checked = inserted
    return tables.map(({ name }) => name)
  }
}
