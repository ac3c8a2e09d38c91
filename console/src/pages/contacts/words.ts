import { plural, t } from '../../text/text.ts'
import type { Column, ContactRow } from './contacts.ts'

const VERBS: Record<string, string> = {
  contain: t('contains'),
  not_contain: t('does not contain'),
  equal: t('is'),
  not_equal: t('is not'),
  start_with: t('begins with'),
  end_with: t('ends with'),
  is_any: t('is one of'),
  is_none_of: t('is none of'),
  empty: t('is empty'),
  not_empty: t('is not empty'),
  greater: t('is greater than'),
  less: t('is less than'),
  before: t('is before'),
  after: t('is after'),
}

/** What a filter asks of a column, in words. */
export function verbOf(operator: string): string {
  return VERBS[operator] ?? operator
}

/** A name to call a contact by: the first cell that says something. */
export function nameOf(row: ContactRow, columns: readonly Column[]): string {
  return columns.map(({ id }) => row.columns[id]).find(Boolean) ?? t('this contact')
}

export function counted(count: number): string {
  return plural(count, '{n} contact', '{n} contacts')
}
