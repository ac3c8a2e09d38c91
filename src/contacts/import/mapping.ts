import type { Fault } from '../../values/refusal.ts'
import { nameKey } from '../keys.ts'
import { MAX_COLUMN_NAME, MAX_COLUMNS, type ColumnType } from '../schema.ts'
import type { ColumnRow } from '../table-store.ts'
import { findColumn, type OpenTable } from '../table.ts'
import type { Detected } from '../types/detect.ts'
import { readFormat } from '../types/read-type.ts'
import { formatOf, readChosen, typeOf, type ChosenType } from './chosen-types.ts'

/** The target of a field: a column, by its first number; a new one (no number yet); or none (no type). */
export type Field = Partial<Detected> & { header: string; number?: number; name?: string; is_new?: boolean }

export type MappingOptions = {
  /** Headers and their columns; `null` or `""` skips a header, `*` creates a column. */
  mapping?: Record<string, string | null> | undefined
  /** Whether headers that match no column create one. */
  new_columns?: boolean | undefined
  /** Headers and the types of their new columns. */
  types?: Record<string, string | null> | undefined
  /** Headers and how their numbers or dates are written. */
  formats?: Record<string, string | null> | undefined
  /** `likely` also detects SELECT, and types that nearly all values fit. */
  detect?: string | undefined
}

const NEW = '*'
/** The requested target of a header: a column, a new one, or none. */
type Target = ColumnRow | typeof NEW | null

/** Common names of a column of phone numbers. */
export const PHONE_NAMES: readonly string[] =
  'phone,phone number,phonenumber,phone_number,mobile,mobile number,mobile phone,msisdn,tel,telephone,cell,cellphone,gsm,number,whatsapp'.split(
    ',',
  )

/** Common names of the default columns. */
const SYNONYMS: { type: ColumnType; names: readonly string[] }[] = [
  { type: 'PHONE NUMBER', names: PHONE_NAMES },
  { type: 'EMAIL', names: ['email', 'e-mail', 'mail', 'email address', 'e-mail address', 'email_address'] },
  { type: 'TEXT', names: ['name', 'full name', 'fullname', 'full_name', 'contact', 'contact name', 'customer'] },
]

/** Maps every header: as requested, by name, by a common name, or to a new column. */
export function mapFields(
  table: OpenTable,
  headers: readonly string[],
  samples: readonly (readonly string[])[],
  options: MappingOptions,
  faults: Fault[],
): Field[] {
  const taken = new Set<number>()
  const fields: Field[] = headers.map((header) => ({ header }))
  const place_of = placesOf(headers)
  const mapped = readMapping(table, place_of, options.mapping ?? {}, faults)
  const chosen = readChosen(place_of, options, faults)
  const valuesOf = (n: number): string[] => samples.map((sample) => sample[n] ?? '')
  const take = (n: number, column: ColumnRow): void => {
    taken.add(column.first_number)
    const { first_number: number, name, type } = column
    fields[n] = { header: headers[n] ?? '', number, name, type, ...formatOf(table, type, valuesOf(n), chosen.get(n)) }
    const wanted = chosen.get(n)
    if ((wanted?.type ?? type) !== type) {
      const message = `The column ${name} has the type ${type}: convert it first.`
      faults.push({ field: `types.${headers[n]}`, message, type: 'invalid' })
    } else readFormat(wanted?.format, type, `formats.${headers[n]}`, faults)
  }
  for (const [n, column] of mapped) {
    if (column === NEW) continue
    if (column && taken.has(column.first_number)) {
      const message = `Two headers go to the column ${column.name}.`
      faults.push({ field: `mapping.${headers[n]}`, message, type: 'invalid' })
    } else if (column) take(n, column)
  }
  const open = headers.map((_, n) => n).filter((n) => !mapped.has(n))
  for (const guess of [byName, bySynonym]) {
    for (const n of open) {
      if (fields[n]?.number !== undefined) continue
      const column = guess(table, headers[n] ?? '', taken)
      if (column) take(n, column)
    }
  }
  const unknown = options.new_columns === false ? [] : open.filter((n) => fields[n]?.number === undefined)
  const requested = [...mapped].filter(([, column]) => column === NEW).map(([n]) => n)
  checkNew(table, headers, requested, faults)
  addNew(table, fields, [...requested, ...unknown], { valuesOf, chosen, likely: options.detect === 'likely' }, faults)
  if (fields.every(({ type }) => type === undefined)) {
    faults.push({ field: 'mapping', message: 'No header of the file goes to a column.', type: 'missing' })
  }
  return fields
}

function readMapping(
  table: OpenTable,
  place_of: ReadonlyMap<string, number>,
  mapping: Record<string, string | null>,
  faults: Fault[],
): Map<number, Target> {
  const mapped = new Map<number, Target>()
  for (const [header, key] of Object.entries(mapping)) {
    const n = place_of.get(nameKey(header))
    const column = key === null || key === '' ? null : key === NEW ? NEW : findColumn(table, key)
    const field = `mapping.${header}`
    if (n === undefined) faults.push({ field, message: 'The file has no such header.', type: 'invalid' })
    else if (column === undefined) faults.push({ field, message: 'There is no such column.', type: 'unknown_column' })
    else mapped.set(n, column)
  }
  return mapped
}

function placesOf(headers: readonly string[]): Map<string, number> {
  const place_of = new Map<string, number>()
  for (const [n, header] of headers.entries()) {
    const key = nameKey(header)
    if (!place_of.has(key)) place_of.set(key, n) // of duplicate headers, the first
  }
  return place_of
}

/** A requested new column that exists would otherwise be skipped, and its values lost. */
function checkNew(table: OpenTable, headers: readonly string[], requested: readonly number[], faults: Fault[]): void {
  const names = new Set(table.columns.map(({ name_key }) => name_key))
  for (const n of requested) {
    const header = headers[n] ?? ''
    const taken = names.has(nameKey(header))
    if (!taken && header.trim() !== '') continue
    const message = taken ? 'There is a column of this name already.' : 'A column has a name.'
    faults.push({ field: `mapping.${header}`, message, type: 'invalid' })
  }
}

function byName(table: OpenTable, header: string, taken: ReadonlySet<number>): ColumnRow | undefined {
  const column = findColumn(table, header)
  return column && !taken.has(column.first_number) ? column : undefined
}

function bySynonym(table: OpenTable, header: string, taken: ReadonlySet<number>): ColumnRow | undefined {
  const key = nameKey(header)
  const known = SYNONYMS.find(({ names }) => names.includes(key))
  return table.columns.find(
    ({ type, name_key, first_number }) =>
      type === known?.type && !taken.has(first_number) && (type !== 'TEXT' || known.names.includes(name_key)),
  )
}

type Values = {
  valuesOf: (n: number) => string[]
  chosen: ReadonlyMap<number, ChosenType>
  likely: boolean
}

function addNew(
  table: OpenTable,
  fields: Field[],
  unknown: readonly number[],
  { valuesOf, chosen, likely }: Values,
  faults: Fault[],
): void {
  const names = new Set(table.columns.map(({ name_key }) => name_key))
  const added = new Map<number, string>()
  for (const n of unknown) {
    const header = fields[n]?.header ?? ''
    const name = header.trim().slice(0, MAX_COLUMN_NAME)
    if (name === '' || names.has(nameKey(name))) continue // no name, or a duplicate header
    names.add(nameKey(name))
    added.set(n, name)
  }
  if (names.size > MAX_COLUMNS) {
    const message = `The list would have ${names.size} columns; it has at most ${MAX_COLUMNS}.`
    faults.push({ field: 'mapping', message, type: 'less_than_equal' })
  }
  for (const [n, name] of added) {
    const header = fields[n]?.header ?? ''
    // Detecting a type reads all samples; a refused import needs none.
    const values = names.size > MAX_COLUMNS ? [] : valuesOf(n)
    fields[n] = { header, name, ...typeOf(table, values, chosen.get(n), likely), is_new: true }
  }
}
