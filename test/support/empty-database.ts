import { freshDatabase, type TestDatabase } from './database.ts'

/** A new database without any table, as an operator creates one. */
export async function emptyDatabase(): Promise<TestDatabase> {
  const database = await freshDatabase()
  await database.db.unsafe('drop schema public cascade; create schema public')
  return database
}

/**
 * A digest of the rows of every table. A column that a later schema adds, and that is null, changes nothing; `renamed` maps
 * the former name of a column or value, in JSON, to its name today; columns `without` do not count.
 */
export async function contentOf(
  { db }: Pick<TestDatabase, 'db'>,
  renamed: ReadonlyMap<string, string> = new Map(),
  without: Readonly<Record<string, readonly string[]>> = {},
): Promise<Record<string, string>> {
  const names = [...renamed]
  const tables = await db<{ name: string }[]>`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition order by 1`
  const content: Record<string, string> = {}
  for (const { name } of tables) {
    const given = names.reduce((text, [from, to]) => `replace(${text}, '${from}', '${to}')`, `to_json("${name}")::text`)
    const today = `jsonb_strip_nulls(${given}::jsonb - '{${(without[name] ?? []).join(',')}}'::text[])::text`
    const [row] = await db.unsafe<{ sum: string }[]>(
      `select count(*) || ' ' || coalesce(md5(string_agg(one, ' ' order by one)), '') as sum
       from (select ${today} as one from "${name}") given`,
    )
    content[name] = row?.sum ?? ''
  }
  return content
}
