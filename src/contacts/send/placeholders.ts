import { distinctPlaceholders, fillPattern, type Pattern } from '../../values/placeholders.ts'
import type { ByNumber } from '../rows/row-store.ts'
import { findColumn, type OpenTable } from '../table.ts'

/** The names no column can fill. One with a default needs none. */
export function unknownNames(table: OpenTable, pattern: Pattern): string[] {
  const needed = distinctPlaceholders(pattern).filter((placeholder) => placeholder.default === undefined)
  return needed.map(({ name }) => name).filter((name) => !findColumn(table, name))
}

/** The text for one row, or undefined when it has no value for a placeholder. */
export function fillFromRow(table: OpenTable, pattern: Pattern, cells: ByNumber): string | undefined {
  let complete = true
  const text = fillPattern(
    pattern,
    (name) => {
      const column = findColumn(table, name)
      return column && cells[column.number]
    },
    () => {
      complete = false
    },
  )
  return complete ? text : undefined
}
