import type { StoredTable } from '../db/backup/catalogue.ts'
import type { Tx } from '../db/connect.ts'
import { isId } from '../values/id.ts'
import { EXPORTED, WITHHELD, type Owner } from './tables.ts'

/** A table with the columns that are exported: all but generated ones. */
export type Table = Pick<StoredTable, 'name' | 'columns'>

/**
 * Staged tables are temporary tables of the transaction under the names of the real ones. With the search path set to them
 * alone, the statements of other modules do to them what they do to an installation; any other name is an error there.
 */
export const STAGED = 'pg_temp'

export async function schemaOf(tx: Tx): Promise<string> {
  const [row] = await tx<{ schema: string }[]>`select current_schema() as schema`
  if (!row) throw new Error('the database has no schema')
  return row.schema
}

/** Sets where names are looked up in this transaction, the first schema first. */
export async function lookInto(tx: Tx, schemas: readonly string[]): Promise<void> {
  await tx.unsafe(`set local search_path to ${schemas.map(quoted).join(', ')}`)
}

/** Stages a table: with the rows of these organisations, or without ids empty. */
export async function stage(tx: Tx, schema: string, table: Table, ids?: readonly string[]): Promise<void> {
  const rows = ids ? ownRows(table, ids, schema) : `${selectFrom(table, schema)} with no data`
  await tx.unsafe(`create temporary table ${quoted(table.name)} on commit drop as ${rows}`)
}

/** The query of the rows of organisations, without what is withheld. */
export function ownRows(table: Table, ids: readonly string[], schema?: string): string {
  return `${selectFrom(table, schema, WITHHELD[table.name])} where ${belongs(table.name, ids, schema)}`
}

/** How many staged rows belong to other organisations. */
export async function countForeign(tx: Tx, { name }: Table, ids: readonly string[]): Promise<number> {
  const [row] = await tx.unsafe<{ count: number }[]>(
    `select count(*)::integer as count from ${quoted(STAGED)}.${quoted(name)}
    where (${belongs(name, ids, STAGED)}) is not true`,
  )
  return row?.count ?? 0
}

/** Copies the staged rows into the real table. */
export async function insertStaged(tx: Tx, schema: string, table: Table): Promise<void> {
  await tx.unsafe(
    `insert into ${quoted(schema)}.${quoted(table.name)} (${table.columns.map(quoted).join(', ')})
    overriding system value ${selectFrom(table, STAGED)}`,
  )
}

export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

function selectFrom({ name, columns }: Table, schema?: string, withheld: readonly string[] = []): string {
  const listed = columns.map((column) => `${withheld.includes(column) ? 'null as ' : ''}${quoted(column)}`)
  return `select ${listed.join(', ')} from ${schema === undefined ? '' : `${quoted(schema)}.`}${quoted(name)}`
}

function belongs(name: string, ids: readonly string[], schema?: string): string {
  if (!ids.every(isId)) throw new Error('an id of an organisation is none')
  const list = ids.map((id) => `'${id}'`).join(', ')
  const users = selectFrom({ name: 'users', columns: ['id'] }, schema)
  const owner: Owner | undefined = EXPORTED[name]
  if (owner === undefined) throw new Error(`${name} is not exported`)
  return owner === 'user_id' ? `user_id in (${users} where organisation_id in (${list}))` : `${owner} in (${list})`
}
