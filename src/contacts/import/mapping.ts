import { withAsciiDigits, type DialPlan } from '../../values/phone/phone.ts'
import type { Fault } from '../../values/refusal.ts'
import { isFault, readCell } from '../cell.ts'
import { nameKey } from '../keys.ts'
import { MAX_COLUMN_NAME, MAX_COLUMNS, type ColumnType } from '../schema.ts'
import type { ColumnRow } from '../table-store.ts'
import { findColumn, type OpenTable } from '../table.ts'

/** The target of a field: a column, a new one (no number yet), or none (no type). */
export type Field = { header: string; number?: number; name?: string; type?: ColumnType; is_new?: boolean }

export type MappingOptions = {
  /** Headers and their columns; `null` or `""` skips a header, `*` creates a column. */
  mapping?: Record<string, string | null> | undefined
  /** Whether headers that match no column create one. */
  new_columns?: boolean | undefined
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
  const mapped = readMapping(table, headers, options.mapping ?? {}, faults)
  const take = (n: number, column: ColumnRow): void => {
    taken.add(column.number)
    fields[n] = { header: headers[n] ?? '', number: column.number, name: column.name, type: column.type }
  }
  for (const [n, column] of mapped) {
    if (column === NEW) continue
    if (column && taken.has(column.number)) {
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
  addNew(table, fields, [...requested, ...unknown], samples, faults)
  if (fields.every(({ type }) => type === undefined)) {
    faults.push({ field: 'mapping', message: 'No header of the file goes to a column.', type: 'missing' })
  }
  return fields
}

function readMapping(
  table: OpenTable,
  headers: readonly string[],
  mapping: Record<string, string | null>,
  faults: Fault[],
): Map<number, Target> {
  const mapped = new Map<number, Target>()
  const place_of = new Map<string, number>()
  for (const [n, header] of headers.entries()) {
    const key = nameKey(header)
    if (!place_of.has(key)) place_of.set(key, n) // of duplicate headers, the first
  }
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
  return column && !taken.has(column.number) ? column : undefined
}

function bySynonym(table: OpenTable, header: string, taken: ReadonlySet<number>): ColumnRow | undefined {
  const key = nameKey(header)
  const known = SYNONYMS.find(({ names }) => names.includes(key))
  return table.columns.find(
    ({ type, name_key, number }) =>
      type === known?.type && !taken.has(number) && (type !== 'TEXT' || known.names.includes(name_key)),
  )
}

function addNew(
  table: OpenTable,
  fields: Field[],
  unknown: readonly number[],
  samples: readonly (readonly string[])[],
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
    const values = names.size > MAX_COLUMNS ? [] : samples.map((sample) => sample[n] ?? '')
    fields[n] = { header, name, type: detectType(values, table.plan), is_new: true }
  }
}

/** The narrowest type that fits all sample values. SELECT is never chosen: a later value would not be an option. */
function detectType(values: readonly string[], plan: DialPlan): ColumnType {
  const filled = values.filter((value) => value.trim() !== '')
  if (filled.length === 0) return 'TEXT'
  const all = (type: ColumnType): boolean =>
    filled.every((value) => {
      const cell = readCell(value, { id: '', number: 0, name: '', name_key: '', type, options: null }, plan)
      return cell !== null && !isFault(cell)
    })
  if (all('EMAIL')) return 'EMAIL'
  if (all('URL')) return 'URL'
  if (all('DATE')) return 'DATE'
  // Amounts look like phone numbers; only those that begin with 0 or +, or are long, are phone numbers.
  if (all('PHONE NUMBER') && filled.every(looksDialled)) {
    return 'PHONE NUMBER'
  }
  return all('NUMBER') ? 'NUMBER' : 'TEXT'
}

function looksDialled(value: string): boolean {
  return /^\s*(?:tel:|\+|0\d|\d{11,})/i.test(withAsciiDigits(value))
}
