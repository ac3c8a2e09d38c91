import type { Fault } from '../../values/refusal.ts'
import { nameKey } from '../keys/text.ts'
import { MAX_COLUMN_NAME, MAX_COLUMNS, type ColumnType } from '../schema.ts'
import type { ColumnRow } from '../table-store.ts'
import { findColumn, type OpenTable } from '../table.ts'
import { detectType } from './detect-type.ts'

/** Where a field of the file goes: to a column, to a new one (no number yet), or nowhere (no type). */
export type Field = { header: string; number?: number; name?: string; type?: ColumnType; is_new?: boolean }

export type MappingOptions = {
  /** Headers and the columns they go to; `null` or `""` leaves a header out, `*` makes a new column. */
  mapping?: Record<string, string | null> | undefined
  /** Whether headers that fit no column make one. */
  new_columns?: boolean | undefined
}

const NEW = '*'
/** Where a header was told to go: to a column, to a new one, or nowhere. */
type Target = ColumnRow | typeof NEW | null

/** What people call the columns every list begins with. */
const SYNONYMS: { type: ColumnType; names: string[] }[] = [
  {
    type: 'PHONE NUMBER',
    names: [
      'phone',
      'phone number',
      'phonenumber',
      'phone_number',
      'mobile',
      'mobile number',
      'mobile phone',
      'msisdn',
    ].concat(['tel', 'telephone', 'cell', 'cellphone', 'gsm', 'number', 'whatsapp']),
  },
  { type: 'EMAIL', names: ['email', 'e-mail', 'mail', 'email address', 'e-mail address', 'email_address'] },
  { type: 'TEXT', names: ['name', 'full name', 'fullname', 'full_name', 'contact', 'contact name', 'customer'] },
]

/** Decides for every header: as told, by its name, by what such columns are usually called, or a new column. */
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
  const told = [...mapped].filter(([, column]) => column === NEW).map(([n]) => n)
  checkNew(table, headers, told, faults)
  addNew(table, fields, [...told, ...unknown], samples, faults)
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
    if (!place_of.has(key)) place_of.set(key, n) // of headers that come twice, the first is meant
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

/** Who asks for a column that is there already would otherwise lose the values. */
function checkNew(table: OpenTable, headers: readonly string[], told: readonly number[], faults: Fault[]): void {
  const names = new Set(table.columns.map(({ name_key }) => name_key))
  for (const n of told) {
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
    if (name === '' || names.has(nameKey(name))) continue // nothing to call it by, or a header that comes twice
    names.add(nameKey(name))
    added.set(n, name)
  }
  if (names.size > MAX_COLUMNS) {
    const message = `The list would have ${names.size} columns; it has at most ${MAX_COLUMNS}.`
    faults.push({ field: 'mapping', message, type: 'less_than_equal' })
  }
  for (const [n, name] of added) {
    const header = fields[n]?.header ?? ''
    // What is refused needs no type: finding one reads all samples.
    const values = names.size > MAX_COLUMNS ? [] : samples.map((sample) => sample[n] ?? '')
    fields[n] = { header, name, type: detectType(values, table.plan), is_new: true }
  }
}
