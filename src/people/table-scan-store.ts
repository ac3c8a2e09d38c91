import type { Db, Tx } from '../db/connect.ts'
import { list, joined, name, plain } from '../db/names.ts'
import type { Query, Sql } from '../db/sql.ts'
import type { Spellings } from './spellings.ts'
import type { PersonTable } from './person-table.ts'

/** Columns by name. Those of the key, and numbers, are text. */
export type Row = Record<string, unknown>
/** The key of a row, in the order of its columns. */
export type Place = readonly string[]

/** The organisation of rows that belong to none. */
const NO_ORGANISATION = '00000000-0000-0000-0000-000000000000'

/**
 * At most `batch` matching rows of the next slice of a table, and the position to continue after; null at the end of the
 * table. A slice counts all rows, matching or not, so that no statement takes long.
 */
export async function findSlice(
  sql: Db | Tx,
  table: PersonTable,
  organisation_id: string,
  spelled: Spellings,
  after: Place | null,
  { slice, batch, lock }: { slice: number; batch: number; lock: boolean },
): Promise<{ rows: Row[]; end: Place | null }> {
  const behind = after === null ? sql`true` : sql`${keyOf(sql, table)} > ${placeOf(sql, table, after)}`
  const own = sql`${whose(sql, table, organisation_id)} and ${behind}`
  const until = table.probe ? undefined : await findEnd(sql, table, own, slice)
  const columns = new Set([...Object.keys(table.key), ...(table.numbers ?? []), ...shownOf(table)])
  const rows = await sql<Row[]>`
    select ${list(
      sql,
      [...columns].map((column) => shown(sql, table, column)),
    )}
    from ${name(sql, table.table)}
    where ${own} and (${matches(sql, table, spelled)})
      ${until === undefined ? sql`` : sql`and ${keyOf(sql, table)} <= ${placeOf(sql, table, until)}`}
    order by ${keyOf(sql, table)} limit ${batch} ${lock ? sql`for update` : sql``}`
  const last = rows.at(-1)
  if (rows.length === batch && last) return { rows, end: Object.keys(table.key).map((column) => String(last[column])) }
  return { rows, end: until ?? null }
}

async function findEnd(sql: Sql, table: PersonTable, own: Query, slice: number): Promise<Place | undefined> {
  const columns = Object.keys(table.key)
  const [row] = await sql<Row[]>`
    select ${list(
      sql,
      columns.map((column) => sql`${name(sql, column)}::text as ${name(sql, column)}`),
    )}
    from ${name(sql, table.table)} where ${own} order by ${keyOf(sql, table)} offset ${slice - 1} limit 1`
  return row && columns.map((column) => String(row[column]))
}

/** Updates a found row, unless its key or number has changed meanwhile. */
export async function rewriteRow(
  tx: Tx,
  table: PersonTable,
  organisation_id: string,
  row: Row,
  changes: Row,
): Promise<boolean> {
  const set = Object.entries(changes).map(([column, value]) => {
    return tx`${name(tx, column)} = ${written(tx, table.mentions?.[column], value)}`
  })
  if (set.length === 0) return false
  const done = await tx`
    update ${name(tx, table.table)} set ${list(tx, set)}
    where ${whose(tx, table, organisation_id)} and ${isRow(tx, table, row)}`
  return done.count > 0
}

export async function removeRow(tx: Tx, table: PersonTable, organisation_id: string, row: Row): Promise<boolean> {
  const done = await tx`
    delete from ${name(tx, table.table)} where ${whose(tx, table, organisation_id)} and ${isRow(tx, table, row)}`
  return done.count > 0
}

function shownOf({ mentions = {}, emptied = {}, shows = [] }: PersonTable): string[] {
  const texts = Object.entries(mentions).filter(([, type]) => type !== 'bytea')
  return [
    ...texts.map(([column]) => column),
    ...shows,
    ...Object.keys(emptied).filter((column) => column === 'whatsapp' && !Object.hasOwn(mentions, column)),
  ]
}

function shown(sql: Sql, { key, numbers = [] }: PersonTable, column: string): Query {
  const as_text = column in key || numbers.includes(column)
  return as_text ? sql`${name(sql, column)}::text as ${name(sql, column)}` : name(sql, column)
}

function matches(sql: Sql, { numbers = [], mentions = {}, probe, every }: PersonTable, spelled: Spellings): Query {
  if (every) return sql`true`
  const { number, forms, pattern, coarse_pattern } = spelled
  const encoded = spelled.encoded.map((one) => `%${one}%`)
  const conditions = [
    ...numbers.map((column) => {
      return probe ? sql`${name(sql, column)} = ${number}::bigint` : sql`${name(sql, column)} = any (${forms}::text[])`
    }),
    ...Object.entries(mentions).map(([column, type]) => {
      const text =
        type === 'segments' ? sql`array_to_string(${name(sql, column)}, '')` : sql`${name(sql, column)}::text`
      return sql`((${text} ~ ${coarse_pattern} and ${text} ~ ${pattern}) or ${text} like any (${encoded}::text[]))`
    }),
  ]
  return joined(sql, conditions, sql` or `)
}

function whose(sql: Sql, table: PersonTable, organisation_id: string): Query {
  if (table.whose === 'all') return sql`true`
  return sql`organisation_id = ${table.whose === 'unowned' ? NO_ORGANISATION : organisation_id}::uuid`
}

/** Also compares the numbers: the scan columns may not be unique. */
function isRow(sql: Sql, table: PersonTable, row: Row): Query {
  const place = Object.keys(table.key).map((column) => String(row[column]))
  const same = (table.numbers ?? []).map((column) => sql`${name(sql, column)}::text = ${row[column]}::text`)
  return joined(sql, [sql`${keyOf(sql, table)} = ${placeOf(sql, table, place)}`, ...same], sql` and `)
}

function keyOf(sql: Sql, { key }: PersonTable): Query {
  return sql`(${list(
    sql,
    Object.keys(key).map((column) => name(sql, column)),
  )})`
}

function placeOf(sql: Sql, { key }: PersonTable, place: Place): Query {
  const values = Object.values(key).map((type, n) => sql`${place[n]}::text::${plain(sql, type)}`)
  return sql`(${list(sql, values)})`
}

function written(sql: Sql, type: string | undefined, value: unknown): Query {
  if (value === null) return sql`null`
  if (type === 'jsonb') return sql`${JSON.stringify(value)}::text::jsonb`
  return type === 'text[]' ? sql`${value}::text[]` : sql`${value}::text`
}
