import type { Db } from '../../db/connect.ts'
import { isId } from '../../values/id.ts'
import { pickPresent } from '../../values/record.ts'
import { Refusal } from '../../values/refusal.ts'
import { convertCell, isFault } from '../cell.ts'
import { openTable, type OpenTable, type Owner } from '../table.ts'
import { findCells, findConversion, type ConversionRow } from './conversion-store.ts'
import type { Conversion } from './schema.ts'

const SHOWN_CHARACTERS = 100

/** A conversion with the first cells that fit and that do not. They are read now: none is stored with the conversion. */
export async function readConversion(deps: { db: Db }, owner: Owner, id: string): Promise<Conversion> {
  const table = await openTable(deps, owner)
  const row = isId(id) ? await findConversion(deps.db, owner.organisation_id, id) : undefined
  if (!row) throw new Refusal('not_found', 'There is no such conversion.')
  return {
    ...pickPresent(row, 'id', 'column_id', 'status', 'from_type', 'type', 'format', 'options', 'clear_unfit'),
    ...pickPresent(row, 'rows', 'fits', 'unfit', 'undo_until', 'fault', 'created_datetime', 'updated_datetime'),
    ...(await cellsOf(deps.db, table, row)),
  }
}

async function cellsOf(db: Db, table: OpenTable, row: ConversionRow): Promise<Pick<Conversion, 'examples' | 'faults'>> {
  const ids = [...row.fit_rows, ...row.unfit_rows]
  const found = ids.length === 0 ? [] : await findCells(db, table.organisation_id, row.from_number, ids)
  const examples: Conversion['examples'] = []
  const faults: Conversion['faults'] = []
  for (const { id: row_id, value } of found) {
    const cell = convertCell(value, row, table.plan)
    const shown = { row_id, value: value.slice(0, SHOWN_CHARACTERS) }
    if (isFault(cell)) faults.push({ ...shown, ...cell })
    else if (cell && row.fit_rows.includes(row_id)) examples.push({ ...shown, becomes: cell.value })
  }
  return { examples, faults }
}
