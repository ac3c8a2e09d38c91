import { findColumn, type OpenTable } from '../table.ts'
import type { ByNumber } from '../rows/row-store.ts'

const PLACEHOLDER = /\{\{\s*([^{}]+?)\s*\}\}/g

/** The names between double braces, each once. */
export function placeholdersOf(content: string): string[] {
  return [...new Set([...content.matchAll(PLACEHOLDER)].map(([, name = '']) => name))]
}

/** The text for one row, or undefined when it has no value for a placeholder. */
export function fillPlaceholders(table: OpenTable, content: string, cells: ByNumber): string | undefined {
  let complete = true
  const text = content.replace(PLACEHOLDER, (_whole, name: string) => {
    const column = findColumn(table, name)
    const value = column && cells[column.number]
    complete &&= value !== undefined
    return value ?? ''
  })
  return complete ? text : undefined
}
