import type { Column, ContactRow, ContactTable, Smartlist } from '../../../../clients/typescript/src/types.ts'

export type { Column, ContactRow, ContactTable, Smartlist }

/** `place` tells filters apart while they are edited; the service does not know it. */
export type Filter = { place: number; column_id: string; operator: string; value: string }
/** Filters of which one must hold; mostly it is a single one. All groups must hold. */
export type Group = readonly Filter[]

export const CONTACT = '/lists/contact'
export const ROWS = '/lists/contact/rows'
export const SMARTLISTS = '/lists/contact/smartlists'
export const CHANGES = '/lists/contact/changes'

const PARTS = ['TEXT', 'EMAIL', 'URL', 'PHONE NUMBER', 'SELECT']

/** What a field for days can show; a date cell may have a time, too. */
export const DAY = /^(\d{4}-\d\d-\d\d)?$/

type Operator = { value: string; only?: readonly string[]; bare?: true; list?: true }

/** What can be asked of a column. Some only make sense for texts, numbers or dates. */
const OPERATORS: readonly Operator[] = [
  { value: 'contain', only: [...PARTS, 'MULTI SELECT'] },
  { value: 'not_contain', only: [...PARTS, 'MULTI SELECT'] },
  { value: 'equal' },
  { value: 'not_equal' },
  { value: 'start_with', only: PARTS },
  { value: 'end_with', only: PARTS },
  { value: 'is_any', list: true },
  { value: 'is_none_of', list: true },
  { value: 'empty', bare: true },
  { value: 'not_empty', bare: true },
  { value: 'greater', only: ['NUMBER'] },
  { value: 'less', only: ['NUMBER'] },
  { value: 'before', only: ['DATE'] },
  { value: 'after', only: ['DATE'] },
]

export function isBare(operator: string): boolean {
  return OPERATORS.some(({ value, bare }) => value === operator && bare === true)
}

/** Values separated by commas. */
export function takesList(operator: string): boolean {
  return OPERATORS.some(({ value, list }) => value === operator && list === true)
}

export function operatorsOf(type: string | undefined): Operator[] {
  return OPERATORS.filter(({ only }) => only === undefined || type === undefined || only.includes(type))
}

export function firstOperator(type: string): string {
  return operatorsOf(type)[0]?.value ?? 'equal'
}

/** An empty filter, to be added to these. */
export function newFilter({ id, type }: Pick<Column, 'id' | 'type'>, groups: readonly Group[]): Filter {
  const place = Math.max(-1, ...groups.flat().map((filter) => filter.place)) + 1
  return { place, column_id: id, operator: firstOperator(type), value: '' }
}

type Given = { column_id: string; operator: string; value?: string }

/** The filters in the format of the API, without incomplete ones. */
export function finished(groups: readonly Group[]): (Given | { any: Given[] })[] {
  return groups.flatMap((group): (Given | { any: Given[] })[] => {
    const any = group
      .filter(({ operator, value }) => isBare(operator) || value.trim() !== '')
      .map(({ column_id, operator, value }) =>
        isBare(operator) ? { column_id, operator } : { column_id, operator, value: value.trim() },
      )
    const [only] = any
    if (!only) return []
    return any.length === 1 ? [only] : [{ any }]
  })
}

export type Kept = { column_id: string; operator: string; value?: string | readonly string[] }

/** Filters as a smartlist or a campaign keeps them, to be changed. */
export function groupsOf(kept: readonly (Kept | { any: readonly Kept[] })[]): Group[] {
  let place = 0
  return kept.map((filter) =>
    ('any' in filter ? filter.any : [filter]).map(({ column_id, operator, value = '' }) => ({
      place: place++,
      column_id,
      operator,
      value: typeof value === 'string' ? value : value.join(', '),
    })),
  )
}
