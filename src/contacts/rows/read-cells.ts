import type { Fault } from '../../values/refusal.ts'
import { isFault, readCell, type Cell } from '../cell.ts'
import { findColumn, type OpenTable } from '../table.ts'

/** Cells by column number; `null` clears. */
export type Cells = Map<number, Cell | null>

/** Reads cells given by column id or name. Every fault is named under `place`, such as `columns.Email`. */
export function readCells(table: OpenTable, given: unknown, place: string, faults: Fault[]): Cells {
  const cells: Cells = new Map()
  if (typeof given !== 'object' || given === null) return cells // its shape is a fault already
  for (const [key, value] of Object.entries(given)) {
    const field = `${place}.${key}`
    const column = findColumn(table, key)
    if (!column) {
      faults.push({ field, message: 'There is no such column.', type: 'unknown_column' })
    } else if (cells.has(column.number)) {
      faults.push({ field, message: `The column ${column.name} is given twice.`, type: 'invalid' })
    } else {
      const cell = readCell(value, column, table.plan)
      if (isFault(cell)) faults.push({ field, ...cell })
      cells.set(column.number, isFault(cell) ? null : cell)
    }
  }
  return cells
}
