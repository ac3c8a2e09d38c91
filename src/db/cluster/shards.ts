import type { Db } from '../connect.ts'

/**
 * Asks every piece of a distributed table, all nodes at once, and gives the rows of those that answer: a statement over
 * all of them would fail with the first node that is away. `query` has `%s` for the piece and no values.
 */
export async function askShards<Row>(db: Db, table: string, query: string): Promise<Row[]> {
  const command = `select coalesce(json_agg(one), '[]') from (${query}) one`
  const answers = await db<{ rows: Row[] }[]>`
    select result::json as rows from run_command_on_shards(${table}, ${command}) where success`
  return answers.flatMap(({ rows }) => rows)
}
