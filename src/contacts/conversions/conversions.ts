import type { Db } from '../../db/connect.ts'
import { transaction } from '../../db/transaction.ts'
import { enqueue } from '../../queue/store.ts'
import type { Wakeups } from '../../queue/wakeups.ts'
import { newId } from '../../values/id.ts'
import { Refusal, refuseIfFaulty, type Fault } from '../../values/refusal.ts'
import type { Typed } from '../cell.ts'
import { unknownColumn } from '../columns.ts'
import { FORGET_QUEUE } from '../forget-column.ts'
import { MAX_OPTIONS } from '../schema.ts'
import { endVersion, lockVersion, takeNumber, type ColumnRow } from '../table-store.ts'
import { findColumn, staleTable, withTable, type OpenTable, type Owner } from '../table.ts'
import { findFormat } from '../types/detect.ts'
import type { Format } from '../types/formats.ts'
import { optionsOf, readFormat, readOptions, readType } from '../types/read-type.ts'
import {
  closeChanges,
  differentCells,
  findConversion,
  findOpen,
  insertConversion,
  isBusy,
  sampleCells,
} from './conversion-store.ts'
import { readConversion } from './read.ts'
import type { Conversion, ConversionBody } from './schema.ts'
import { endConversion, switchColumn } from './switch-column.ts'
import { findMisfits, type CampaignsUsing } from './uses.ts'
import { CONVERSION_QUEUE } from './worker.ts'

type Deps = { db: Db; wakeups: Wakeups; campaignsUsing: CampaignsUsing }

type Target = Typed & { format: Format | null }

const BUSY = 'A change or an import of contacts is running: wait until it is done.'

/** Begins the conversion of a column, or a preview of it. A job does the rest. */
export async function createConversion(
  deps: Deps,
  owner: Owner,
  column_key: string,
  body: Partial<ConversionBody>,
  shape_faults: readonly Fault[],
): Promise<Conversion> {
  const { organisation_id } = owner
  const id = newId()
  await withTable(deps, owner, async (table) => {
    const column = findColumn(table, column_key)
    if (!column) throw unknownColumn()
    const target = await readTarget(deps.db, table, column, body, shape_faults)
    refuseIfFaulty(await findMisfits(deps.db, table, column, target, deps.campaignsUsing))
    const made = {
      id,
      column_id: column.id,
      from_number: column.number,
      from_type: column.type,
      from_options: column.options,
      ...target,
      clear_unfit: body.clear_unfit ?? false,
    }
    await transaction(deps.db, async (tx) => {
      if (body.dry_run) await insertConversion(tx, organisation_id, { ...made, number: null, status: 'checking' })
      else {
        if ((await lockVersion(tx, organisation_id)) !== table.version) throw staleTable()
        if (await isBusy(tx, organisation_id)) throw new Refusal('conflict', BUSY)
        const open = await findOpen(tx, organisation_id, column.id)
        const before = open && (await findConversion(tx, organisation_id, open.id))
        if (before?.status === 'running') throw new Refusal('conflict', 'This column is being converted already.')
        if (before) await endConversion(tx, organisation_id, before, 'final')
        await closeChanges(tx, organisation_id)
        const number = await takeNumber(tx, organisation_id)
        await insertConversion(tx, organisation_id, { ...made, number, status: 'running' })
        await endVersion(tx, organisation_id)
      }
      await enqueue(tx, CONVERSION_QUEUE, [{ lane: organisation_id, organisation_id, subject_id: id }])
    })
  })
  deps.wakeups.wake(CONVERSION_QUEUE)
  deps.wakeups.wake(FORGET_QUEUE)
  return readConversion(deps, owner, id)
}

/** Gives the column its previous type and cells. Cells that were written since are kept, if they fit that type. */
export async function undoConversion(deps: Deps, owner: Owner, id: string): Promise<Conversion> {
  const { status } = await readConversion(deps, owner, id)
  const outcome = await switchColumn(deps, owner, id, true)
  if (outcome === 'busy') throw new Refusal('conflict', BUSY)
  if (outcome === 'ended') {
    throw new Refusal(
      'conflict',
      status === 'running' ? 'The conversion is still running.' : 'It is too late to undo this.',
    )
  }
  if (typeof outcome === 'object') throw new Refusal('conflict', outcome.misfit)
  deps.wakeups.wake(FORGET_QUEUE)
  return readConversion(deps, owner, id)
}

/** The requested type with its format and options; without them, as the cells have them. */
async function readTarget(
  db: Db,
  table: OpenTable,
  column: ColumnRow,
  body: Partial<ConversionBody>,
  shape_faults: readonly Fault[],
): Promise<Target> {
  const faults = [...shape_faults]
  const type = readType(body.type, 'type', faults)
  if (type === column.type)
    faults.push({ field: 'type', message: 'The column has this type already.', type: 'invalid' })
  const format = readFormat(body.format, type, 'format', faults)
  const options = readOptions(body.options, faults)
  const wants_options = type === 'SELECT' || type === 'MULTI SELECT'
  if (type && !wants_options && body.options !== undefined) {
    faults.push({ field: 'options', message: `A ${type} column has no options.`, type: 'invalid' })
  }
  refuseIfFaulty(faults)
  if (type === undefined) throw new Error('A conversion without a type passed the check.')
  if (wants_options) {
    return { type, options: body.options ? options : await optionsIn(db, table, column, type), format: null }
  }
  if (type !== 'NUMBER' && type !== 'DATE') return { type, options: null, format: null }
  return { type, options: null, format: format ?? (await formatIn(db, table, column, type)) }
}

async function formatIn(db: Db, table: OpenTable, column: ColumnRow, type: 'NUMBER' | 'DATE'): Promise<Format> {
  const values = await sampleCells(db, table.organisation_id, column.number)
  const { format, formats } = findFormat(type, values, table)
  if (!format && formats) {
    const message = `The dates are ambiguous, as 03/04/2026 is: the format is ${formats.join(' or ')}.`
    refuseIfFaulty([{ field: 'format', message, type: 'missing' }])
  }
  return format ?? (type === 'NUMBER' ? '1,234.5' : 'YYYY-MM-DD')
}

async function optionsIn(db: Db, table: OpenTable, column: ColumnRow, type: 'SELECT' | 'MULTI SELECT') {
  if (column.options) return column.options
  const values = await differentCells(db, table.organisation_id, column.number, MAX_OPTIONS + 1)
  const options = optionsOf(type, values)
  if (options && options.length > 0) return options
  const message = options
    ? 'The column has no values: give the options.'
    : `The column has more than ${MAX_OPTIONS} different values, too many for a list of options.`
  refuseIfFaulty([{ field: 'options', message, type: options ? 'missing' : 'less_than_equal' }])
  throw new Error('unreachable')
}
