import { joined, list, name, plain } from '../db/names.ts'
import type { Query, Sql } from '../db/sql.ts'
import type { SealedColumn } from './columns.ts'

/** A row of a sealed column: its key and its values as they are stored. */
export type SealedRow = { key: string[]; values: (string | Buffer)[] }

type Shown = { key: string[]; value: string | string[] | Buffer }

/** The next rows that have a value, in the order of the key. */
export async function listSealed(
  db: Sql,
  column: SealedColumn,
  after: readonly string[] | undefined,
  limit: number,
): Promise<SealedRow[]> {
  const behind = after === undefined ? db`true` : db`${keyOf(db, column)} > ${placeOf(db, column, after)}`
  const key = list(
    db,
    Object.keys(column.key).map((part) => db`${name(db, part)}::text`),
  )
  const rows = await db<Shown[]>`
    select array[${key}] as key, ${name(db, column.column)} as value
    from ${name(db, column.table)}
    where ${name(db, column.column)} is not null and ${behind}
    order by ${keyOf(db, column)} limit ${limit}`
  return rows.map(({ key: own, value }) => ({ key: own, values: Array.isArray(value) ? value : [value] }))
}

/** False if the values were changed meanwhile. */
export async function replaceSealed(
  db: Sql,
  column: SealedColumn,
  { key, values }: SealedRow,
  fresh: readonly (string | Buffer)[],
): Promise<boolean> {
  const done = await db`
    update ${name(db, column.table)} set ${name(db, column.column)} = ${stored(db, column, fresh)}
    where ${joined(
      db,
      Object.entries(column.key).map(([part, type], n) => db`${name(db, part)} = ${key[n]}::text::${plain(db, type)}`),
      db` and `,
    )} and ${name(db, column.column)} = ${stored(db, column, values)}`
  return done.count > 0
}

function stored(sql: Sql, { type }: SealedColumn, values: readonly (string | Buffer)[]): Query {
  if (type === 'text[]') return sql`${values.map(String)}::text[]`
  return type === 'text' ? sql`${String(values[0])}::text` : sql`${values[0]}::bytea`
}

function keyOf(sql: Sql, { key }: SealedColumn): Query {
  return sql`(${list(
    sql,
    Object.keys(key).map((part) => name(sql, part)),
  )})`
}

function placeOf(sql: Sql, { key }: SealedColumn, place: readonly string[]): Query {
  const values = Object.values(key).map((type, n) => sql`${place[n]}::text::${plain(sql, type)}`)
  return sql`(${list(sql, values)})`
}
