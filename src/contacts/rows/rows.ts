import type { Db } from '../../db/connect.ts'
import { transaction } from '../../db/transaction.ts'
import { isId, newId } from '../../values/id.ts'
import { pickPresent } from '../../values/record.ts'
import { Refusal, refuseIfFaulty, type Fault } from '../../values/refusal.ts'
import type { BulkBody, ContactRow, ContactTable, RowBody } from '../schema.ts'
import { openTable, withTable, writeCells, type OpenTable, type Owner } from '../table.ts'
import { readCells, type Cells } from '../cell.ts'
import {
  deleteRow,
  findRow,
  insertRows,
  lockRows,
  updateRows,
  type ByNumber,
  type RowDraft,
  type StoredRow,
} from './row-store.ts'

type RowInTable = { row: ContactRow; table: ContactTable }

export async function createRow(
  deps: { db: Db },
  owner: Owner,
  body: Partial<RowBody>,
  shape_faults: readonly Fault[],
): Promise<RowInTable> {
  return withTable(deps, owner, async (table) => {
    const faults = [...shape_faults]
    const draft = newRow(readCells(table, body.columns, 'columns', faults))
    refuseIfFaulty(faults)
    const created_datetime = await writeCells(deps.db, table, (tx) => insertRows(tx, owner.organisation_id, [draft]))
    return { row: shownRow(table, { ...draft, created_datetime, updated_datetime: null }), table: table.shown }
  })
}

/** Creates all rows or none; every fault names the index of its row. */
export async function createRows(
  deps: { db: Db },
  owner: Owner,
  body: Partial<BulkBody>,
  shape_faults: readonly Fault[],
): Promise<{ rows: ContactRow[]; table: ContactTable }> {
  return withTable(deps, owner, async (table) => {
    const faults = [...shape_faults]
    const given = Array.isArray(body.rows) && faults.every(({ field }) => field !== 'rows') ? body.rows : []
    const drafts = given.map((row: Partial<RowBody> | null, n) =>
      newRow(readCells(table, row?.columns, `rows[${n}].columns`, faults)),
    )
    refuseIfFaulty(faults)
    const created_datetime = await writeCells(deps.db, table, (tx) => insertRows(tx, owner.organisation_id, drafts))
    const rows = drafts.map((draft) => shownRow(table, { ...draft, created_datetime, updated_datetime: null }))
    return { rows, table: table.shown }
  })
}

export async function readRow(deps: { db: Db }, owner: Owner, id: string): Promise<RowInTable> {
  const table = await openTable(deps, owner)
  const row = isId(id) ? await findRow(deps.db, owner.organisation_id, id) : undefined
  if (!row) throw unknownRow()
  return { row: shownRow(table, row), table: table.shown }
}

/** Cells that are not given keep their value. */
export async function patchRow(
  deps: { db: Db },
  owner: Owner,
  id: string,
  body: Partial<RowBody>,
  shape_faults: readonly Fault[],
): Promise<RowInTable> {
  return withTable(deps, owner, async (table) => {
    const faults = [...shape_faults]
    const cells = readCells(table, body.columns, 'columns', faults)
    refuseIfFaulty(faults)
    if (!isId(id)) throw unknownRow()
    const row = await writeCells(deps.db, table, async (tx) => {
      const [before] = await lockRows(tx, owner.organisation_id, [id])
      if (!before) throw unknownRow()
      const draft = mergeInto(before, cells)
      const updated_datetime = await updateRows(tx, owner.organisation_id, [draft])
      return { ...draft, created_datetime: before.created_datetime, updated_datetime }
    })
    return { row: shownRow(table, row), table: table.shown }
  })
}

export async function removeRow(deps: { db: Db }, owner: Owner, id: string): Promise<void> {
  const gone = isId(id) && (await transaction(deps.db, (tx) => deleteRow(tx, owner.organisation_id, id)))
  if (!gone) throw unknownRow()
}

export function newRow(cells: Cells): RowDraft {
  return merge({ id: newId(), cells: {}, keys: {} }, cells)
}

/** The row with these cells replaced, as `updateRows` takes it. */
export function mergeInto(row: RowDraft, cells: Cells): RowDraft & { before: ByNumber } {
  return { ...merge(row, cells), before: row.keys }
}

export function merge(row: RowDraft, cells: Cells): RowDraft {
  const merged = { id: row.id, cells: { ...row.cells }, keys: { ...row.keys } }
  for (const [number, cell] of cells) {
    if (cell === null) {
      delete merged.cells[number]
      delete merged.keys[number]
    } else {
      merged.cells[number] = cell.value
      merged.keys[number] = cell.key
    }
  }
  return merged
}

/** A row as the API returns it, in the order of the columns. Cells of a deleted column are left out. */
export function shownRow(table: OpenTable, row: StoredRow): ContactRow {
  const columns: Record<string, string> = {}
  for (const { id, number } of table.columns) {
    const value = row.cells[number]
    if (value !== undefined) columns[id] = value
  }
  return { id: row.id, columns, ...pickPresent(row, 'created_datetime', 'updated_datetime') }
}

function unknownRow(): Refusal {
  const message = 'There is no such row.'
  return new Refusal('not_found', message, [{ field: 'row_id', message, type: 'not_found' }])
}
