import type { Db, Tx } from '../../db/connect.ts'
import { transaction } from '../../db/transaction.ts'
import { lockRows, restoreRows, updateRows, type ByNumber } from '../rows/row-store.ts'
import { mergeInto } from '../rows/rows.ts'
import { holdTable, type OpenTable } from '../table.ts'
import { cellOf, columnOf } from './apply.ts'
import { endUndo, lockChange, recordRestored, takeBefore, type Before, type ChangeRow } from './change-store.ts'

/** Rows written in one transaction. */
const BATCH = 1_000

/** Restores the next rows of a change that is being undone. */
export async function restoreNext(deps: { db: Db }, table: OpenTable, change: ChangeRow): Promise<void> {
  await transaction(deps.db, async (tx) => {
    if (!(await holdTable(tx, table))) return
    const now = await lockChange(tx, table.organisation_id, change.id)
    if (now?.status === 'undoing') await restoreStep(tx, table, change)
  })
}

/** Restores some rows, in the caller's transaction. Returns whether there are more. */
export async function restoreStep(tx: Tx, table: OpenTable, change: ChangeRow): Promise<boolean> {
  const { organisation_id } = table
  const before = await takeBefore(tx, organisation_id, change.id, BATCH)
  const restored = before.length === 0 ? 0 : await restoreRowsOf(tx, table, change, before)
  await recordRestored(tx, organisation_id, change.id, { restored, not_restored: before.length - restored })
  if (before.length === BATCH) return true
  await endUndo(tx, organisation_id, change.id)
  return false
}

async function restoreRowsOf(tx: Tx, table: OpenTable, change: ChangeRow, before: readonly Before[]): Promise<number> {
  const { organisation_id } = table
  if (change.action === 'delete') {
    const numbers = table.columns.flatMap(({ number, twin }) => (twin ? [number, twin.number] : [number]))
    const there = new Set(numbers.map(String))
    const kept = (texts: ByNumber): ByNumber =>
      Object.fromEntries(Object.entries(texts).filter(([number]) => there.has(number)))
    const deleted = before.map(({ row_id, cells, keys, ...times }) => {
      return { id: row_id, cells: kept(cells), keys: kept(keys), ...times }
    })
    return restoreRows(tx, organisation_id, deleted)
  }
  const column = columnOf(table, change)
  if (!column) return 0
  const { number } = column
  const was = new Map(before.map((row) => [row.row_id, row]))
  const rows = await lockRows(tx, organisation_id, [...was.keys()])
  // A cell that was written again since the change keeps its new value.
  const untouched = rows.filter(({ cells }) => (cells[number] ?? null) === change.value)
  const drafts = untouched.map((row) => {
    const before_it = was.get(row.id)
    return mergeInto(row, cellOf(table, column, before_it?.cells[number], before_it?.keys[number]))
  })
  if (drafts.length > 0) await updateRows(tx, organisation_id, drafts)
  return drafts.length
}
