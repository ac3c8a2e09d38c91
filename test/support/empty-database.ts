import { freshDatabase, type TestDatabase } from './database.ts'

/** A database of its own without any table, as an operator makes one. */
export async function emptyDatabase(): Promise<TestDatabase> {
  const database = await freshDatabase()
  await database.db.unsafe('drop schema public cascade; create schema public')
  return database
}

/** What every table holds, as one word for each; a column that a later schema adds empty changes nothing. */
export async function contentOf({ db }: Pick<TestDatabase, 'db'>): Promise<Record<string, string>> {
  const tables = await db<{ name: string }[]>`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition order by 1`
  const content: Record<string, string> = {}
  for (const { name } of tables) {
    const [row] = await db.unsafe<{ sum: string }[]>(
      `select count(*) || ' ' || coalesce(md5(string_agg(one, ' ' order by one)), '') as sum
       from (select jsonb_strip_nulls(to_jsonb("${name}"))::text as one from "${name}") given`,
    )
    content[name] = row?.sum ?? ''
  }
  return content
}
