import type { Column, ContactRow, ContactTable } from '../../../../src/contacts/schema.ts'
import type { Smartlist } from '../../../../src/contacts/query/schema.ts'

export type { Column, ContactRow, ContactTable, Smartlist }

export type Filter = { column_id: string; operator: string; value: string }

export const CONTACT = '/lists/contact'
export const ROWS = '/lists/contact/rows'
export const SMARTLISTS = '/lists/contact/smartlists'

/** What can be asked of a column, in words. Some only make sense for numbers or dates. */
export const OPERATORS: readonly { value: string; label: string; only?: string; bare?: true }[] = [
  { value: 'contain', label: 'contains' },
  { value: 'not_contain', label: 'does not contain' },
  { value: 'equal', label: 'is' },
  { value: 'not_equal', label: 'is not' },
  { value: 'start_with', label: 'begins with' },
  { value: 'end_with', label: 'ends with' },
  { value: 'is_any', label: 'is one of' },
  { value: 'is_none_of', label: 'is none of' },
  { value: 'empty', label: 'is empty', bare: true },
  { value: 'not_empty', label: 'is not empty', bare: true },
  { value: 'greater', label: 'is greater than', only: 'NUMBER' },
  { value: 'less', label: 'is less than', only: 'NUMBER' },
  { value: 'before', label: 'is before', only: 'DATE' },
  { value: 'after', label: 'is after', only: 'DATE' },
]

export function isBare(operator: string): boolean {
  return OPERATORS.some(({ value, bare }) => value === operator && bare === true)
}

/** As the API takes them; a filter nobody has finished writing does not count yet. */
export function finished(filters: readonly Filter[]): { column_id: string; operator: string; value?: string }[] {
  return filters
    .filter(({ operator, value }) => isBare(operator) || value.trim() !== '')
    .map(({ column_id, operator, value }) =>
      isBare(operator) ? { column_id, operator } : { column_id, operator, value: value.trim() },
    )
}
