import type { Db } from './connect.ts'

/** Rows from which on a table without statistics misleads the planner. */
const ENOUGH_ROWS = 200

/**
 * Makes the first statistics of tables that have grown from nothing. Until then the planner takes an organisation to
 * have one row, reads all of them to find one, and gets slower with each; autovacuum comes by only once a minute.
 */
export async function createFirstStatistics(db: Db): Promise<string[]> {
  const rows = await db<{ name: string }[]>`
    select quote_ident(relname) as name from pg_stat_user_tables
    where last_analyze is null and last_autoanalyze is null and n_live_tup > ${ENOUGH_ROWS}`
  for (const { name } of rows) await db.unsafe(`analyze ${name}`)
  return rows.map(({ name }) => name)
}
