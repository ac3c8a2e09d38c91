import type { Db } from './connect.ts'

/** Above this many rows a table without statistics misleads the planner. */
const ENOUGH_ROWS = 200

/**
 * Analyzes tables that have no statistics yet. Until then the planner assumes one row per organisation and scans; and
 * autovacuum runs only once a minute.
 */
export async function createFirstStatistics(db: Db): Promise<string[]> {
  const rows = await db<{ name: string }[]>`
    select quote_ident(relname) as name from pg_stat_user_tables
    where last_analyze is null and last_autoanalyze is null and n_live_tup > ${ENOUGH_ROWS}`
  for (const { name } of rows) await db.unsafe(`analyze ${name}`)
  return rows.map(({ name }) => name)
}
