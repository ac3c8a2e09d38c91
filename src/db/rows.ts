import { arrayLiteral } from './array.ts'
import { prepare, type Query, type Sql } from './sql.ts'
import { isRecord } from '../values/record.ts'

/**
 * Items as the rows of a table, each column named once. In a store,
 *
 *     insert into links (code, url) select code, url
 *     from ${rows(sql, links, 'link', { code: 'text', url: ['text', ({ target }) => target.href] })}
 *
 * becomes `from unnest($1::text[], $2::text[]) as "link" ("code", "url")`. A column is a field of the items with its
 * type, or a type and how to work it out.
 *
 * The same columns always make the same text, so the statement around it stays prepared. Names are part of that text
 * and come from source code, never from input: what is no plain name is refused.
 */
export function rows<Item, Name extends string>(
  sql: Sql,
  items: readonly Item[],
  alias: string,
  columns: Columns<Item, Name>,
): Query {
  const given = Object.entries<ColumnType | Derived<Item>>(columns).map(([name, column]) => {
    const [type, valueOf]: readonly [ColumnType, (item: Item) => unknown] =
      typeof column === 'string' ? [column, (item) => (isRecord(item) ? item[name] : undefined)] : column
    return { name: quoted(name), type, array: arrayLiteral(items.map((item) => written(type, valueOf(item)))) }
  })
  const texts = textsOf(given, quoted(alias))
  return prepare(sql(Object.assign(texts, { raw: texts }), ...given.map(({ array }) => array)))
}

/** The text before, between and behind the arrays. */
function textsOf(given: readonly { name: string; type: ColumnType }[], alias: string): string[] {
  const types = given.map(({ type }) => `::${type === 'jsonb' ? 'text' : type}[]`)
  const names = given.map(({ name }) => name).join(', ')
  const unnested = [
    'unnest(',
    ...types.slice(0, -1).map((type) => `${type}, `),
    `${types.at(-1)}) as ${alias} (${names})`,
  ]
  if (given.every(({ type }) => type !== 'jsonb')) return unnested
  // JSON is sent as text and read row by row: as arrays of `jsonb`, statements took a fifth longer.
  const read = given.map(({ name, type }) => (type === 'jsonb' ? `${name}::jsonb` : name)).join(', ')
  return [`(select ${read} from ${unnested[0]}`, ...unnested.slice(1, -1), `${unnested.at(-1)}) as ${alias}`]
}

/** What a column of each type takes. There are no arrays of arrays: `unnest` would take them apart. */
type Takes = {
  uuid: string
  text: string
  smallint: number
  integer: number
  bigint: bigint | number | string
  float8: number
  boolean: boolean
  /** In the format of the database. */
  timestamptz: string
  /** Anything that can be written as JSON; null is no value, and not JSON's own null. */
  jsonb: object | string | number | boolean
  bytea: Buffer
}
type ColumnType = keyof Takes

type Columns<Item, Name extends string> = {
  readonly [N in Name]: Derived<Item> | (N extends keyof Item ? TypeFor<Item[N]> : never)
}

type Derived<Item> = { [T in ColumnType]: readonly [T, (item: Item) => Takes[T] | null | undefined] }[ColumnType]

/** The types of column a value fits in. */
type TypeFor<Value> = {
  [T in ColumnType]: [Value] extends [Takes[T] | null | undefined] ? T : never
}[ColumnType]

/** An element as `arrayLiteral` takes it. */
function written(type: ColumnType, value: unknown): unknown {
  if (value === null || value === undefined) return null
  if (type === 'jsonb') return JSON.stringify(value)
  if (typeof value === 'boolean') return value ? 'true' : 'false'
  if (Buffer.isBuffer(value)) return `\\x${value.toString('hex')}`
  return value
}

const NAME = /^[a-z][a-z0-9_]*$/

/** In quotes, so that a column may be called `from`. */
function quoted(name: string): string {
  if (!NAME.test(name)) throw new Error(`${JSON.stringify(name)} is no name of a column or table`)
  return `"${name}"`
}
