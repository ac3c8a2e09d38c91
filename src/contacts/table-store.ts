import type { Db, Tx } from '../db/connect.ts'
import { rows } from '../db/rows.ts'
import type { ColumnType } from './schema.ts'
import type { Format } from './types/formats.ts'

export type TableRow = {
  id: string
  next_number: number
  version: number
  created_datetime: string
  updated_datetime: string | null
}

/** A column. `number` identifies its cells; a conversion to another type changes it. */
export type ColumnRow = {
  id: string
  number: number
  /** The number it was created with, by which imports, changes and campaigns refer to it. */
  first_number: number
  name: string
  name_key: string
  type: ColumnType
  options: string[] | null
  twin: Twin | null
}

/** The cells of a column in another type: the next one, while it is converted, or the previous, while that can be undone. */
export type Twin = {
  number: number
  type: ColumnType
  options: string[] | null
  format: Format | null
  /** Whether a value that does not fit this type is refused. */
  strict: boolean
  conversion_id: string
}

export async function findTable(db: Db, organisation_id: string): Promise<TableRow | undefined> {
  const [row] = await db<TableRow[]>`
    select id, next_number, version, created_datetime, updated_datetime
    from contact_tables where organisation_id = ${organisation_id}`
  return row
}

export async function listColumns(sql: Db | Tx, organisation_id: string): Promise<ColumnRow[]> {
  return sql<ColumnRow[]>`
    select c.id, c.number, c.first_number, c.name, c.name_key, c.type, c.options,
      case v.status
        when 'running' then jsonb_build_object('number', v.number, 'type', v.type, 'options', v.options,
          'format', v.format, 'strict', true, 'conversion_id', v.id)
        when 'done' then jsonb_build_object('number', v.from_number, 'type', v.from_type, 'options', v.from_options,
          'format', null, 'strict', false, 'conversion_id', v.id)
      end as twin
    from contact_columns c
    left join contact_conversions v on v.organisation_id = c.organisation_id and v.column_id = c.id
      and v.status in ('running', 'done')
    where c.organisation_id = ${organisation_id} order by c.position, c.first_number`
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
    select id, next_number, version, created_datetime, updated_datetime
    from contact_tables where organisation_id = ${organisation_id} for no key update`
  if (!row) throw new Error(`organisation ${organisation_id} has no contact table`)
  return row
}

/** Keeps the version of the table until the end of the transaction; returns it. */
export async function holdVersion(tx: Tx, organisation_id: string): Promise<number | undefined> {
  const [row] = await tx<{ version: number }[]>`
    select version from contact_tables where organisation_id = ${organisation_id} for key share`
  return row?.version
}

/** Waits for all transactions that hold the version, and keeps others from writing cells. Take no other lock before. */
export async function lockVersion(tx: Tx, organisation_id: string): Promise<number | undefined> {
  const [row] = await tx<{ version: number }[]>`
    select version from contact_tables where organisation_id = ${organisation_id} for update`
  return row?.version
}

export async function endVersion(tx: Tx, organisation_id: string): Promise<void> {
  await tx`update contact_tables set version = version + 1 where organisation_id = ${organisation_id}`
}

/** Takes the number of a column's cells, which is never used again. */
export async function takeNumber(tx: Tx, organisation_id: string): Promise<number> {
  const [taken] = await tx<{ number: number }[]>`
    update contact_tables set next_number = next_number + 1
    where organisation_id = ${organisation_id} returning next_number - 1 as number`
  if (!taken) throw new Error(`organisation ${organisation_id} has no contact table`)
  return taken.number
}

type NewColumn = Omit<ColumnRow, 'number' | 'first_number' | 'twin'>

export async function insertColumn(tx: Tx, organisation_id: string, column: NewColumn): Promise<void> {
  await tx`
    with taken as (
      update contact_tables set next_number = next_number + 1
      where organisation_id = ${organisation_id}
      returning next_number - 1 as number
    )
    insert into contact_columns (organisation_id, id, number, first_number, position, name, name_key, type, options)
    select ${organisation_id}, ${column.id}, number, number, number, ${column.name}, ${column.name_key}, ${column.type},
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

/** Gives a column another type, whose cells have another number. */
export async function retypeColumn(
  tx: Tx,
  organisation_id: string,
  column: Pick<ColumnRow, 'id' | 'number' | 'type' | 'options'>,
): Promise<void> {
  await tx`
    update contact_columns
    set number = ${column.number}, type = ${column.type}, options = ${column.options}::text[]
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
