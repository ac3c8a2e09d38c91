import type { Db } from '../db/connect.ts'
import { transaction } from '../db/transaction.ts'
import { newId } from '../values/id.ts'
import { dialPlan, type DialPlan } from '../values/phone/phone.ts'
import { present } from '../values/record.ts'
import { nameKey } from './keys/text.ts'
import type { Column, ColumnType, ContactTable } from './schema.ts'
import { findTable, insertColumn, insertTable, listColumns, type ColumnRow } from './table-store.ts'

/** Whose list it is, and in which country numbers without a country code are. */
export type Owner = { organisation_id: string; default_country: string }

/** The list with what reading and finding rows needs to know. */
export type OpenTable = {
  organisation_id: string
  columns: ColumnRow[]
  /** By id, and by name without case. */
  column_of: ReadonlyMap<string, ColumnRow>
  plan: DialPlan
  /** As the owner sees it. */
  shown: ContactTable
}

const FIRST_COLUMNS: { name: string; type: ColumnType }[] = [
  { name: 'Name', type: 'TEXT' },
  { name: 'Email', type: 'EMAIL' },
  { name: 'Mobile', type: 'PHONE NUMBER' },
]

/** The organisation's list, made on first use. */
export async function openTable(deps: { db: Db }, owner: Owner): Promise<OpenTable> {
  const { organisation_id } = owner
  let table = await findTable(deps.db, organisation_id)
  if (!table) {
    await makeTable(deps.db, organisation_id)
    table = await findTable(deps.db, organisation_id)
    if (!table) throw new Error('a contact table is gone right after it was made')
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
      created_datetime: table.created_datetime,
      ...present('updated_datetime', table.updated_datetime),
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

export function shownColumn({ id, name, type, options }: ColumnRow): Column {
  return { id, name, type, ...present('options', options) }
}

/** A column by its id, or by its name in any case. */
export function findColumn(table: OpenTable, key: string): ColumnRow | undefined {
  return table.column_of.get(key.toLowerCase()) ?? table.column_of.get(nameKey(key))
}
