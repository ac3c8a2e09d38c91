import type { Db } from '../db/connect.ts'
import { transaction } from '../db/transaction.ts'
import { enqueue } from '../queue/store.ts'
import type { Wakeups } from '../queue/wakeups.ts'
import { newId } from '../values/id.ts'
import { Refusal, refuseIfFaulty, type Fault } from '../values/refusal.ts'
import { setStatus } from './conversions/conversion-store.ts'
import { FORGET_QUEUE } from './forget-column.ts'
import { readOptions, readType } from './types/read-type.ts'
import { MAX_COLUMNS, type Column, type ColumnBody, type ColumnChange, type ContactTable } from './schema.ts'
import { smartlistsUsing } from './smartlist-store.ts'
import { findColumn, nameTaken, openTable, readName, shownColumn, type Owner } from './table.ts'
import {
  deleteColumnRow,
  insertColumn,
  listColumns,
  lockTable,
  orderColumns,
  touchTable,
  updateColumn,
} from './table-store.ts'

type ColumnInTable = { column: Column; table: ContactTable }

export async function createColumn(
  deps: { db: Db },
  owner: Owner,
  body: Partial<ColumnBody>,
  shape_faults: readonly Fault[],
): Promise<ColumnInTable> {
  await openTable(deps, owner)
  const faults = [...shape_faults]
  const type = readType(body.type, 'type', faults) ?? 'TEXT'
  const options = readOptions(body.options, faults)
  const wants_options = type === 'SELECT' || type === 'MULTI SELECT'
  if (wants_options && body.options === undefined) {
    faults.push({ field: 'options', message: `A ${type} column needs options.`, type: 'missing' })
  }
  const id = newId()
  await transaction(deps.db, async (tx) => {
    await lockTable(tx, owner.organisation_id)
    const columns = await listColumns(tx, owner.organisation_id)
    const named = readColumnName(body.name, columns, faults)
    if (columns.length >= MAX_COLUMNS) {
      faults.push({ field: 'columns', message: `A list has at most ${MAX_COLUMNS} columns.`, type: 'less_than_equal' })
    }
    refuseIfFaulty(faults)
    const column = { id, ...named, type, options: wants_options ? options : null }
    await insertColumn(tx, owner.organisation_id, column)
    await touchTable(tx, owner.organisation_id)
  })
  return answer(deps, owner, id)
}

/** Renames a column, changes its options or moves it. Cells keep their value, even one that is no option any more. */
export async function changeColumn(
  deps: { db: Db },
  owner: Owner,
  key: string,
  body: ColumnChange,
  shape_faults: readonly Fault[],
): Promise<ColumnInTable> {
  const { id } = await known(deps, owner, key)
  const faults = [...shape_faults]
  await transaction(deps.db, async (tx) => {
    await lockTable(tx, owner.organisation_id)
    const columns = await listColumns(tx, owner.organisation_id)
    const column = columns.find((one) => one.id === id)
    if (!column) throw unknownColumn()
    const others = columns.filter((one) => one.id !== id)
    const { name, name_key } = body.name === undefined ? column : readColumnName(body.name, others, faults)
    const options = body.options === undefined ? column.options : readOptions(body.options, faults)
    if (body.options !== undefined && column.twin) {
      throw new Refusal(
        'conflict',
        'The column is being converted, or that can still be undone: change its options later.',
      )
    }
    if (body.options !== undefined && column.options === null) {
      faults.push({ field: 'options', message: `A ${column.type} column has no options.`, type: 'invalid' })
    }
    refuseIfFaulty(faults)
    await updateColumn(tx, owner.organisation_id, { id, name, name_key, options })
    if (body.position !== undefined) {
      const order = others.map((one) => one.id).toSpliced(body.position - 1, 0, id)
      await orderColumns(tx, owner.organisation_id, order)
    }
    await touchTable(tx, owner.organisation_id)
  })
  return answer(deps, owner, id)
}

/** Deletes a column immediately; a job clears its cells afterwards. */
export async function removeColumn(deps: { db: Db; wakeups: Wakeups }, owner: Owner, key: string): Promise<void> {
  const { organisation_id } = owner
  const { id } = await known(deps, owner, key)
  await transaction(deps.db, async (tx) => {
    await lockTable(tx, organisation_id)
    const column = (await listColumns(tx, organisation_id)).find((one) => one.id === id)
    if (!column) throw unknownColumn()
    const [user] = await smartlistsUsing(tx, organisation_id, id)
    if (user) {
      const message = `The smartlist ${user.name} filters by this column: change or delete it first.`
      throw new Refusal('invalid_request', message, [{ field: 'column_id', message, type: 'invalid' }])
    }
    await deleteColumnRow(tx, organisation_id, id)
    await touchTable(tx, organisation_id)
    const { number, twin } = column
    if (twin) await setStatus(tx, organisation_id, twin.conversion_id, 'failed', 'The column was deleted.')
    const job = { lane: organisation_id, organisation_id, subject_id: id }
    const numbers = twin ? [number, twin.number] : [number]
    await enqueue(
      tx,
      FORGET_QUEUE,
      numbers.map((one) => ({ ...job, subject_key: String(one) })),
    )
  })
  deps.wakeups.wake(FORGET_QUEUE)
}

async function known(deps: { db: Db }, owner: Owner, key: string): Promise<{ id: string }> {
  const column = findColumn(await openTable(deps, owner), key)
  if (!column) throw unknownColumn()
  return column
}

async function answer(deps: { db: Db }, owner: Owner, id: string): Promise<ColumnInTable> {
  const table = await openTable(deps, owner)
  const column = table.columns.find((one) => one.id === id)
  if (!column) throw unknownColumn()
  return { column: shownColumn(column), table: table.shown }
}

/** A name that no other column has. */
function readColumnName(given: unknown, others: readonly { name_key: string }[], faults: Fault[]) {
  const named = readName(given, 'column', faults)
  if (named.name !== '' && others.some(({ name_key }) => name_key === named.name_key)) faults.push(nameTaken('column'))
  return named
}

export function unknownColumn(): Refusal {
  const message = 'There is no such column.'
  return new Refusal('not_found', message, [{ field: 'column_id', message, type: 'not_found' }])
}
