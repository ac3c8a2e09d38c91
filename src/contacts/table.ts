import type { Db } from '../db/connect.ts'
import { transaction } from '../db/transaction.ts'
import { newId } from '../values/id.ts'
import { isStorable } from '../values/input/storable.ts'
import { dialPlan, type DialPlan } from '../values/phone/phone.ts'
import { pickPresent } from '../values/record.ts'
import type { Fault } from '../values/refusal.ts'
import { nameKey } from './keys.ts'
import type { Column, ColumnType, ContactTable } from './schema.ts'
import { findTable, insertColumn, insertTable, listColumns, type ColumnRow } from './table-store.ts'

/** The organisation, and the country of phone numbers without a country code. */
export type Owner = { organisation_id: string; default_country: string }

/** The contact table with everything needed to read and find rows. */
export type OpenTable = {
  organisation_id: string
  columns: ColumnRow[]
  /** By id, and by case-insensitive name. */
  column_of: ReadonlyMap<string, ColumnRow>
  plan: DialPlan
  /** As the API returns it. */
  shown: ContactTable
}

const FIRST_COLUMNS: { name: string; type: ColumnType }[] = [
  { name: 'Name', type: 'TEXT' },
  { name: 'Email', type: 'EMAIL' },
  { name: 'Mobile', type: 'PHONE NUMBER' },
]

/** The organisation's table, created on first use. */
export async function openTable(deps: { db: Db }, owner: Owner): Promise<OpenTable> {
  const { organisation_id } = owner
  let table = await findTable(deps.db, organisation_id)
  if (!table) {
    await makeTable(deps.db, organisation_id)
    table = await findTable(deps.db, organisation_id)
    if (!table) throw new Error('A contact table disappeared after it was created.')
  }
  const columns = await listColumns(deps.db, organisation_id)
  return {
    organisation_id,
    columns,
    column_of: new Map([
      ...columns.map((column) => [column.name_key, column] as const),
      ...columns.map((column) => [column.id, column] as const),
    ]),
    plan: dialPlan(owner.default_country),
    shown: {
      id: table.id,
      columns: columns.map(shownColumn),
      ...pickPresent(table, 'created_datetime', 'updated_datetime'),
    },
  }
}

async function makeTable(db: Db, organisation_id: string): Promise<void> {
  await transaction(db, async (tx) => {
    if (!(await insertTable(tx, organisation_id, newId()))) return
    for (const { name, type } of FIRST_COLUMNS) {
      await insertColumn(tx, organisation_id, { id: newId(), name, name_key: nameKey(name), type, options: null })
    }
  })
}

export function shownColumn(column: ColumnRow): Column {
  return pickPresent(column, 'id', 'name', 'type', 'options')
}

/** A column by its id, or by its case-insensitive name. */
export function findColumn(table: OpenTable, key: string): ColumnRow | undefined {
  return table.column_of.get(key.toLowerCase()) ?? table.column_of.get(nameKey(key))
}

const NAME_FAULTS = {
  column: { blank: 'A column has a name.', taken: 'There is a column of this name already.' },
  smartlist: { blank: 'A smartlist has a name.', taken: 'There is a smartlist of this name already.' },
}

/** The name of a column or smartlist; it may not be blank. */
export function readName(given: unknown, kind: 'column' | 'smartlist', faults: Fault[]) {
  const name = typeof given === 'string' ? given.trim() : ''
  if (typeof given === 'string' && name === '' && given !== '') {
    faults.push({ field: 'name', message: NAME_FAULTS[kind].blank, type: 'string_too_short' })
  } else if (!isStorable(name)) {
    faults.push({ field: 'name', message: 'The name holds a character that cannot be stored.', type: 'invalid' })
  }
  return { name, name_key: nameKey(name) }
}

export function nameTaken(kind: 'column' | 'smartlist'): Fault {
  return { field: 'name', message: NAME_FAULTS[kind].taken, type: 'invalid' }
}
