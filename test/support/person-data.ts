import type { Db } from '../../src/db/connect.ts'

/** All rows of all tables as text, each with the name of its table: what a dump of the database would hold. */
export async function dump(db: Db): Promise<{ table: string; row: string }[]> {
  const tables = await db<{ name: string }[]>`
    select tablename as name from pg_tables where schemaname = 'public' order by tablename`
  const all: { table: string; row: string }[] = []
  for (const { name } of tables) {
    const rows = await db.unsafe<{ row: string }[]>(`select t::text as row from "${name}" t`)
    for (const { row } of rows) all.push({ table: name, row: readable(row) })
  }
  return all
}

/** Bytes are dumped in hexadecimal: what is text in them is text here. */
function readable(row: string): string {
  return row.replaceAll(/\\+x((?:[0-9a-f]{2})+)/g, (_, hex: string) => Buffer.from(hex, 'hex').toString('latin1'))
}
