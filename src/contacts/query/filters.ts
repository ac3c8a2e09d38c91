import { Refusal, type Fault } from '../../values/refusal.ts'
import { MAX_CELL_CHARACTERS, type ColumnType } from '../schema.ts'
import { isStorable } from '../../values/input/storable.ts'
import type { ColumnRow } from '../table-store.ts'
import { findColumn, type OpenTable } from '../table.ts'
import { makeCondition, type ColumnCondition, type Condition } from './condition.ts'
import {
  MAX_FILTER_VALUES,
  MAX_FILTERS,
  MAX_FILTERS_IN_ALL,
  OPERATORS,
  type Operator,
  type SavedFilter,
  type SavedFilters,
} from './schema.ts'
import { isRecord } from '../../values/record.ts'

const ANY_TYPE: Operator[] = ['equal', 'not_equal', 'empty', 'not_empty', 'is_any', 'is_none_of']
const PARTS: Operator[] = ['contain', 'not_contain', 'start_with', 'end_with']

/** The operators of each column type. */
const OPERATORS_OF: Record<ColumnType, readonly Operator[]> = {
  TEXT: [...ANY_TYPE, ...PARTS],
  EMAIL: [...ANY_TYPE, ...PARTS],
  URL: [...ANY_TYPE, ...PARTS],
  'PHONE NUMBER': [...ANY_TYPE, ...PARTS],
  SELECT: [...ANY_TYPE, ...PARTS],
  'MULTI SELECT': [...ANY_TYPE, 'contain', 'not_contain'],
  NUMBER: [...ANY_TYPE, 'greater', 'less'],
  DATE: [...ANY_TYPE, 'before', 'after'],
}

const WITHOUT_VALUE: readonly Operator[] = ['empty', 'not_empty']
const WITH_LIST: readonly Operator[] = ['is_any', 'is_none_of']

export type ReadFilters = { saved: SavedFilters; conditions: Condition[] }

/** Checks filters against the columns of the list; adds to `faults` those that cannot be applied. */
export function readFilters(table: OpenTable, given: unknown, faults: Fault[]): ReadFilters {
  const read: ReadFilters = { saved: [], conditions: [] }
  if (!Array.isArray(given) || given.length > MAX_FILTERS) return read // absent, or reported by the shape check
  const filters: unknown[] = given
  const in_all = filters.reduce<number>((sum, filter) => sum + (groupOf(filter)?.length ?? 1), 0)
  if (in_all > MAX_FILTERS_IN_ALL) {
    const message = `At most ${MAX_FILTERS_IN_ALL} filters, with those in groups.`
    faults.push({ field: 'filters', message, type: 'less_than_equal' })
    return read
  }
  for (const [n, filter] of filters.entries()) {
    const place = `filters[${n}]`
    const group = groupOf(filter)
    if (group) {
      const members = readGroup(table, filter, group, place, faults)
      if (!members) continue
      read.saved.push({ any: members.map(({ saved }) => saved) })
      read.conditions.push({ any: members.map(({ condition }) => condition) })
    } else {
      const one = readOne(table, filter, place, faults)
      if (!one) continue
      read.saved.push(one.saved)
      read.conditions.push(one.condition)
    }
  }
  return read
}

/** The conditions of stored filters. Refuses all of them if one cannot be read: without it the list would have more rows. */
export function requireConditions(table: OpenTable, filters: SavedFilters, message: string): Condition[] {
  const { conditions } = readFilters(table, filters, [])
  if (conditions.length < filters.length) throw new Refusal('conflict', message)
  return conditions
}

type ReadFilter = { saved: SavedFilter; condition: ColumnCondition }

function groupOf(filter: unknown): unknown[] | undefined {
  return isRecord(filter) && Array.isArray(filter.any) ? filter.any : undefined
}

/** Reads a whole group or none of it: without one of its filters it would find fewer rows. */
function readGroup(
  table: OpenTable,
  filter: unknown,
  group: readonly unknown[],
  place: string,
  faults: Fault[],
): ReadFilter[] | undefined {
  const beside = ['column_id', 'name', 'operator', 'value'].find(
    (field) => isRecord(filter) && filter[field] !== undefined && filter[field] !== null,
  )
  if (beside !== undefined) {
    faults.push({ field: `${place}.${beside}`, message: 'A group has nothing but `any`.', type: 'invalid' })
  }
  if (faults.some(({ field }) => field === `${place}.any`)) return undefined
  const members = group.map((one, n) => readOne(table, one, `${place}.any[${n}]`, faults))
  const read = members.filter((one) => one !== undefined)
  return beside === undefined && read.length === group.length && read.length > 0 ? read : undefined
}

function readOne(table: OpenTable, filter: unknown, place: string, faults: Fault[]): ReadFilter | undefined {
  const misshapen = faults.some(({ field }) => field === place || field.startsWith(`${place}.`))
  if (misshapen || !isRecord(filter)) return undefined
  const read = readFilter(table, filter, place, faults)
  if (!read) return undefined
  const condition = makeCondition(read.column, read.filter, table.plan)
  if ('message' in condition) {
    faults.push({ field: `${place}.value`, ...condition })
    return undefined
  }
  return { saved: read.filter, condition }
}

function readFilter(
  table: OpenTable,
  given: Record<string, unknown>,
  place: string,
  faults: Fault[],
): { filter: SavedFilter; column: ColumnRow } | undefined {
  const before = faults.length
  const column = readColumn(table, given, place, faults)
  const operator = readOperator(given.operator, column, place, faults)
  const value = operator === undefined ? undefined : readValue(given.value, operator, place, faults)
  if (!column || !operator || faults.length > before) return undefined
  const filter = { column_id: column.id, name: column.name, operator, ...(value === undefined ? {} : { value }) }
  return { filter, column }
}

function readColumn(
  table: OpenTable,
  { column_id, name }: Record<string, unknown>,
  place: string,
  faults: Fault[],
): ColumnRow | undefined {
  const [field, key] = typeof column_id === 'string' && column_id !== '' ? ['column_id', column_id] : ['name', name]
  if (typeof key !== 'string' || key === '') {
    const message = 'A filter names its column by column_id or name.'
    faults.push({ field: `${place}.column_id`, message, type: 'missing' })
    return undefined
  }
  const column = findColumn(table, key)
  if (!column) faults.push({ field: `${place}.${field}`, message: 'There is no such column.', type: 'unknown_column' })
  return column
}

function readOperator(
  given: unknown,
  column: ColumnRow | undefined,
  place: string,
  faults: Fault[],
): Operator | undefined {
  if (given === undefined || given === null) {
    faults.push({ field: `${place}.operator`, message: 'This field is required.', type: 'missing' })
    return undefined
  }
  const word = typeof given === 'string' ? given.trim().toLowerCase() : ''
  const operator = OPERATORS.find((one) => one === word)
  const allowed = column ? OPERATORS_OF[column.type] : OPERATORS
  if (operator !== undefined && allowed.includes(operator)) return operator
  const message = column
    ? `The operator of a ${column.type} column is one of ${allowed.join(', ')}.`
    : `The operator is one of ${allowed.join(', ')}.`
  faults.push({ field: `${place}.operator`, message, type: 'enum' })
  return undefined
}

function readValue(given: unknown, operator: Operator, place: string, faults: Fault[]): string | string[] | undefined {
  if (WITHOUT_VALUE.includes(operator)) return undefined
  const field = `${place}.value`
  const fault = (message: string, type: Fault['type']): undefined => {
    faults.push({ field, message, type })
    return undefined
  }
  if (given === undefined || given === null) return fault(`The operator ${operator} needs a value.`, 'missing')
  if (!WITH_LIST.includes(operator)) {
    if (Array.isArray(given)) return fault(`The operator ${operator} takes one value.`, 'string_type')
    return readText(textOf(given), fault)
  }
  const list = Array.isArray(given) ? given.map(String) : textOf(given).split(',')
  const texts = list.map((one) => one.trim()).filter(Boolean)
  if (texts.length === 0) return fault(`The operator ${operator} needs at least one value.`, 'string_too_short')
  if (texts.length > MAX_FILTER_VALUES) return fault(`At most ${MAX_FILTER_VALUES} values.`, 'less_than_equal')
  return texts.every((one) => readText(one, fault) !== undefined) ? texts : undefined
}

/** Numbers and booleans are compared as text. */
function textOf(given: unknown): string {
  return typeof given === 'string' ? given : JSON.stringify(given)
}

function readText(text: string, fault: (message: string, type: Fault['type']) => undefined): string | undefined {
  if (text === '') return fault('The value is empty: `empty` finds empty cells.', 'string_too_short')
  if (text.length > MAX_CELL_CHARACTERS) return fault('No cell is as long as this value.', 'string_too_long')
  if (!isStorable(text)) return fault('This value holds a character no cell can hold.', 'invalid')
  return text
}
