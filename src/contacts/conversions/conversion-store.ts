import type { Db, Tx } from '../../db/connect.ts'
import { rows } from '../../db/rows.ts'
import type { Sql } from '../../db/sql.ts'
import type { ByNumber } from '../rows/row-store.ts'
import type { ColumnType } from '../schema.ts'
import type { Format } from '../types/formats.ts'
import { MAX_FIT_ROWS, MAX_UNFIT_ROWS, UNDO_S, type ConversionStatus } from './schema.ts'

export type ConversionRow = {
  id: string
  column_id: string
  from_number: number
  from_type: ColumnType
  from_options: string[] | null
  number: number | null
  type: ColumnType
  options: string[] | null
  format: Format | null
  clear_unfit: boolean
  status: ConversionStatus
  until_id: string | null
  after_id: string | null
  rows: number
  fits: number
  unfit: number
  fit_rows: string[]
  unfit_rows: string[]
  fault: string | null
  undo_until: string | null
  /** Whether it can be undone, by the clock of the database. */
  in_time: boolean
  created_datetime: string
  updated_datetime: string | null
}

type NewConversion = Pick<
  ConversionRow,
  | 'id'
  | 'column_id'
  | 'from_number'
  | 'from_type'
  | 'from_options'
  | 'number'
  | 'type'
  | 'options'
  | 'format'
  | 'clear_unfit'
  | 'status'
>

export async function insertConversion(tx: Tx, organisation_id: string, made: NewConversion): Promise<void> {
  const [last] = await tx<{ id: string }[]>`
    select id from contact_rows where organisation_id = ${organisation_id} order by id desc limit 1`
  await tx`
    insert into contact_conversions (organisation_id, id, column_id, from_number, from_type, from_options,
      number, type, options, format, clear_unfit, status, until_id)
    values (${organisation_id}, ${made.id}, ${made.column_id}, ${made.from_number},
      ${made.from_type}, ${made.from_options}::text[], ${made.number}, ${made.type}, ${made.options}::text[],
      ${made.format}, ${made.clear_unfit}, ${made.status}, ${last?.id ?? null})`
}

export async function findConversion(sql: Db | Tx, organisation_id: string, id: string) {
  const [row] = await sql<ConversionRow[]>`
    select id, column_id, from_number, from_type, from_options, number, type, options, format, clear_unfit,
      status, until_id, after_id, rows, fits, unfit, fit_rows, unfit_rows, fault, undo_until,
      coalesce(undo_until > now(), false) as in_time, created_datetime, updated_datetime
    from contact_conversions where organisation_id = ${organisation_id} and id = ${id}`
  return row
}

/** The conversion of a column that is running or can be undone. */
export async function findOpen(tx: Tx, organisation_id: string, column_id: string) {
  const [row] = await tx<Pick<ConversionRow, 'id' | 'status'>[]>`
    select id, status from contact_conversions
    where organisation_id = ${organisation_id} and column_id = ${column_id} and status in ('running', 'done')
    for update`
  return row
}

/** Locks a conversion. Its holder stores the next step, if the conversion still is where that step begins. */
export async function lockConversion(tx: Tx, organisation_id: string, id: string) {
  const [row] = await tx<Pick<ConversionRow, 'status' | 'after_id'>[]>`
    select status, after_id from contact_conversions
    where organisation_id = ${organisation_id} and id = ${id} for update`
  return row
}

/** Changes or imports that write cells. While there are any, no column changes its type. */
export async function isBusy(tx: Tx, organisation_id: string): Promise<boolean> {
  const [row] = await tx<{ busy: boolean }[]>`
    select exists (select 1 from contact_changes
        where organisation_id = ${organisation_id} and status in ('running', 'undoing'))
      or exists (select 1 from contact_imports
        where organisation_id = ${organisation_id} and status in ('uploading', 'queued', 'running') and not dry_run)
      as busy`
  return row?.busy ?? false
}

/** Ends the undo of all changes: they name cells by a number that is no longer that of the column. */
export async function closeChanges(tx: Tx, organisation_id: string): Promise<void> {
  await tx`
    update contact_changes
    set status = 'final', undo_until = null, value = null, key = null, query = null, row_ids = '{}'
    where organisation_id = ${organisation_id} and status = 'done'`
}

/** Cells of the newest rows, from which a format is detected. */
export async function sampleCells(db: Db, organisation_id: string, number: number): Promise<string[]> {
  const found = await db<{ value: string }[]>`
    select cells ->> ${String(number)} as value from (
      select cells from contact_rows where organisation_id = ${organisation_id} order by id desc limit 5000
    ) newest
    where cells ? ${String(number)} limit 1000`
  return found.map(({ value }) => value)
}

/** One cell of each different key, as the index has them. */
export async function differentCells(db: Db, organisation_id: string, number: number, limit: number) {
  const found = await db<{ value: string }[]>`
    with recursive different as (
      (select left(key, 200) as key, row_id from contact_cells
      where organisation_id = ${organisation_id} and number = ${number}
      order by left(key, 200), row_id limit 1)
      union all
      select next.key, next.row_id from different cross join lateral (
        select left(key, 200) as key, row_id from contact_cells
        where organisation_id = ${organisation_id} and number = ${number} and left(key, 200) > different.key
        order by left(key, 200), row_id limit 1
      ) next
    ),
    a_few as materialized (select row_id from different limit ${limit})
    select cells ->> ${String(number)} as value from a_few
    join contact_rows on contact_rows.organisation_id = ${organisation_id} and contact_rows.id = a_few.row_id
    where cells ? ${String(number)}`
  return found.map(({ value }) => value)
}

/** A row's cell, and whether it has the cell of the new type already. */
export type CellOfRow = { id: string; value: string | null; is_filled: boolean }

export type Numbers = Pick<ConversionRow, 'from_number' | 'number' | 'until_id' | 'after_id'>

/** The next rows of a conversion, oldest first. */
export async function readNext(sql: Db | Tx, organisation_id: string, at: Numbers, limit: number) {
  return sql<CellOfRow[]>`${nextRows(sql, organisation_id, at, limit)}`
}

/** Locks them too, in the order of their ids, like every other writer. */
export async function lockNext(tx: Tx, organisation_id: string, at: Numbers, limit: number) {
  return tx<CellOfRow[]>`${nextRows(tx, organisation_id, at, limit)} for update`
}

function nextRows(
  sql: Sql,
  organisation_id: string,
  { from_number, number, until_id, after_id }: Numbers,
  limit: number,
) {
  return sql`
    select id, cells ->> ${String(from_number)} as value, keys ? ${String(number)} as is_filled from contact_rows
    where organisation_id = ${organisation_id} and id <= ${until_id}
      ${after_id === null ? sql`` : sql`and id > ${after_id}`}
    order by id limit ${limit}`
}

export async function findCells(db: Db, organisation_id: string, number: number, ids: readonly string[]) {
  return db<{ id: string; value: string }[]>`
    select id, cells ->> ${String(number)} as value from contact_rows
    where organisation_id = ${organisation_id} and id = any (${ids}::uuid[]) and cells ? ${String(number)}
    order by id`
}

/** Adds cells to rows that the transaction has locked, and says nothing of it in `updated_datetime`. */
export async function fillCells(
  tx: Tx,
  organisation_id: string,
  filled: readonly { id: string; cells: ByNumber; keys: ByNumber }[],
): Promise<void> {
  await tx`
    update contact_rows set cells = contact_rows.cells || filled.cells, keys = contact_rows.keys || filled.keys
    from ${rows(tx, filled, 'filled', { id: 'uuid', cells: 'jsonb', keys: 'jsonb' })}
    where contact_rows.organisation_id = ${organisation_id} and contact_rows.id = filled.id`
}

export type Step = { after_id: string | null; rows: number; fits: string[]; unfit: string[] }

export async function recordStep(tx: Tx, organisation_id: string, id: string, step: Step): Promise<void> {
  const fit_rows = tx`fit_rows || ${step.fits.slice(0, MAX_FIT_ROWS)}::uuid[]`
  const unfit_rows = tx`unfit_rows || ${step.unfit.slice(0, MAX_UNFIT_ROWS)}::uuid[]`
  // Not `[1:n]`: Citus cannot deparse slices of arrays.
  await tx`
    update contact_conversions
    set after_id = ${step.after_id}, rows = rows + ${step.rows}, fits = fits + ${step.fits.length},
      unfit = unfit + ${step.unfit.length}, updated_datetime = now(),
      fit_rows = trim_array(${fit_rows}, greatest(0, cardinality(${fit_rows}) - ${MAX_FIT_ROWS})),
      unfit_rows = trim_array(${unfit_rows}, greatest(0, cardinality(${unfit_rows}) - ${MAX_UNFIT_ROWS}))
    where organisation_id = ${organisation_id} and id = ${id}`
}

/** Moves a conversion to its next status, with the time in which it can be undone if it is done. */
export async function setStatus(
  tx: Tx,
  organisation_id: string,
  id: string,
  status: ConversionStatus,
  fault: string | null = null,
): Promise<void> {
  await tx`
    update contact_conversions
    set status = ${status}, fault = ${fault}, updated_datetime = now(),
      undo_until = now() + ${status === 'done' ? UNDO_S : null}::integer * interval '1 second'
    where organisation_id = ${organisation_id} and id = ${id}`
}
