import type { Db, Tx } from '../db/connect.ts'
import { transaction } from '../db/transaction.ts'
import { newId } from '../values/id.ts'
import { isStorable } from '../values/input/storable.ts'
import { dialPlan, type DialPlan } from '../values/phone/phone.ts'
import { pickPresent, present } from '../values/record.ts'
import type { Fault } from '../values/refusal.ts'
import { nameKey } from './keys.ts'
import type { Column, ColumnType, ContactTable } from './schema.ts'
import { findTable, holdVersion, insertColumn, insertTable, listColumns, type ColumnRow } from './table-store.ts'

/** The organisation, and the country of phone numbers without a country code. */
export type Owner = { organisation_id: string; default_country: string }

/** The contact table with everything needed to read and find rows. */
export type OpenTable = {
  organisation_id: string
  columns: ColumnRow[]
  /** By id, and by case-insensitive name. */
  column_of: ReadonlyMap<string, ColumnRow>
  plan: DialPlan
  country: string
  /** Changes with the type of a column. */
  version: number
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
    country: owner.default_country,
    version: table.version,
    shown: {
      id: table.id,
      columns: columns.map(shownColumn),
      ...pickPresent(table, 'created_datetime', 'updated_datetime'),
    },
  }
}

/** The table was opened before a column changed its type. */
class StaleTable extends Error {}

/** Thrown in `withTable`: the work is repeated. */
export function staleTable(): Error {
  return new StaleTable('A column has changed its type meanwhile.')
}

/**
 * Keeps the types of the columns until the end of a transaction that writes cells. False if a column has changed its
 * type since the table was opened: the cells were read for the previous one.
 */
export async function holdTable(tx: Tx, table: OpenTable): Promise<boolean> {
  return (await holdVersion(tx, table.organisation_id)) === table.version
}

/** A transaction that writes cells read for this table; see `withTable`. */
export async function writeCells<T>(db: Db, table: OpenTable, write: (tx: Tx) => Promise<T>): Promise<T> {
  return transaction(db, async (tx) => {
    if (!(await holdTable(tx, table))) throw staleTable()
    return write(tx)
  })
}

const MAX_TRIES = 5

/** Opens the table for work that ends with `writeCells`. The work is repeated if a column changes its type in between. */
export async function withTable<T>(deps: { db: Db }, owner: Owner, work: (table: OpenTable) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work(await openTable(deps, owner))
    } catch (fault) {
      if (!(fault instanceof StaleTable) || tries === MAX_TRIES) throw fault
    }
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
  const { twin } = column
  return { ...pickPresent(column, 'id', 'name', 'type', 'options'), ...present('conversion_id', twin?.conversion_id) }
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
