import type { Db, Tx } from '../db/connect.ts'
import { rows } from '../db/rows.ts'
import type { ColumnType } from './schema.ts'

export type TableRow = {
  id: string
  next_number: number
  created_datetime: string
  updated_datetime: string | null
}

/** A column; `number` identifies its cells. */
export type ColumnRow = {
  id: string
  number: number
  name: string
  name_key: string
  type: ColumnType
  options: string[] | null
}

export async function findTable(db: Db, organisation_id: string): Promise<TableRow | undefined> {
  const [row] = await db<TableRow[]>`
    select id, next_number, created_datetime, updated_datetime
    from contact_tables where organisation_id = ${organisation_id}`
  return row
}

export async function listColumns(sql: Db | Tx, organisation_id: string): Promise<ColumnRow[]> {
  return sql<ColumnRow[]>`
    select id, number, name, name_key, type, options
    from contact_columns where organisation_id = ${organisation_id} order by position, number`
}

/** A concurrent caller waits here for the first one, and then finds the table. */
export async function insertTable(tx: Tx, organisation_id: string, id: string): Promise<boolean> {
  const made = await tx`
    insert into contact_tables (organisation_id, id) values (${organisation_id}, ${id})
    on conflict (organisation_id) do nothing`
  return made.count === 1
}

/** Serializes changes of columns, and imports that update rows by key. */
export async function lockTable(tx: Tx, organisation_id: string): Promise<TableRow> {
  const [row] = await tx<TableRow[]>`
    select id, next_number, created_datetime, updated_datetime
    from contact_tables where organisation_id = ${organisation_id} for no key update`
  if (!row) throw new Error(`organisation ${organisation_id} has no contact table`)
  return row
}

export async function insertColumn(tx: Tx, organisation_id: string, column: Omit<ColumnRow, 'number'>): Promise<void> {
  await tx`
    with taken as (
      update contact_tables set next_number = next_number + 1
      where organisation_id = ${organisation_id}
      returning next_number - 1 as number
    )
    insert into contact_columns (organisation_id, id, number, position, name, name_key, type, options)
    select ${organisation_id}, ${column.id}, number, number, ${column.name}, ${column.name_key}, ${column.type},
      ${column.options}::text[]
    from taken`
}

export async function updateColumn(
  tx: Tx,
  organisation_id: string,
  column: Pick<ColumnRow, 'id' | 'name' | 'name_key' | 'options'>,
): Promise<void> {
  await tx`
    update contact_columns
    set name = ${column.name}, name_key = ${column.name_key}, options = ${column.options}::text[]
    where organisation_id = ${organisation_id} and id = ${column.id}`
}

/** Sets the positions of all columns, in this order. */
export async function orderColumns(tx: Tx, organisation_id: string, ids: readonly string[]): Promise<void> {
  const places = ids.map((id, n) => ({ id, position: n + 1 }))
  await tx`
    update contact_columns set position = place.position
    from ${rows(tx, places, 'place', { id: 'uuid', position: 'smallint' })}
    where contact_columns.organisation_id = ${organisation_id} and contact_columns.id = place.id`
}

export async function deleteColumnRow(tx: Tx, organisation_id: string, id: string): Promise<void> {
  await tx`delete from contact_columns where organisation_id = ${organisation_id} and id = ${id}`
}

export async function touchTable(tx: Tx, organisation_id: string): Promise<void> {
  await tx`update contact_tables set updated_datetime = now() where organisation_id = ${organisation_id}`
}
