import type { Db, Tx } from '../../db/connect.ts'
import { transaction } from '../../db/transaction.ts'
import { Refusal } from '../../values/refusal.ts'
import { findRows } from '../query/find.ts'
import { readSearch } from '../query/search.ts'
import { deleteRows, lockRows, updateRows } from '../rows/row-store.ts'
import { putCell, type Cells } from '../cell.ts'
import { mergeInto } from '../rows/rows.ts'
import type { ColumnRow } from '../table-store.ts'
import { holdTable, type OpenTable } from '../table.ts'
import { endChange, insertBefore, lockChange, recordStep, type ChangeRow } from './change-store.ts'

/** Rows written in one transaction. */
const BATCH = 1_000

type Steps = Pick<ChangeRow, 'id' | 'action' | 'number' | 'value' | 'key' | 'query' | 'row_ids' | 'after_id' | 'place'>

/** Applies the change to its next rows, unless another worker has stored that step meanwhile. */
export async function applyNext(deps: { db: Db }, table: OpenTable, change: Steps): Promise<void> {
  const next = await findStep(deps, table, change)
  await transaction(deps.db, async (tx) => {
    if (!(await holdTable(tx, table))) return
    const now = await lockChange(tx, table.organisation_id, change.id)
    if (now?.status !== 'running' || now.after_id !== change.after_id || now.place !== change.place) return
    await storeStep(tx, table, change, next)
  })
}

/** The next rows of a change and the position behind them, or the reason why it ends here. */
export type Step = { ids: string[]; after_id: string | null; place: number; last: boolean; fault: string | null }

export async function findStep(deps: { db: Db }, table: OpenTable, change: Steps): Promise<Step> {
  const { query, row_ids, place, after_id } = change
  const stopped = (fault: string): Step => ({ ids: [], after_id, place, last: true, fault })
  if (change.number !== null && !columnOf(table, change)) {
    return stopped('The column was deleted.')
  }
  if (!query) {
    const end = place + BATCH
    return { ids: row_ids.slice(place, end), after_id, place: end, last: end >= row_ids.length, fault: null }
  }
  try {
    const { search } = await readSearch(deps, table, query, [])
    const except = new Set(row_ids)
    const after = after_id === null ? undefined : { id: after_id, key: null }
    const found = await findRows(deps.db, { ...search, sort: undefined }, { after, skip: 0, limit: BATCH })
    const ids = found.map(({ id }) => id)
    return {
      ids: ids.filter((id) => !except.has(id)),
      after_id: ids.at(-1) ?? after_id,
      place,
      last: found.length < BATCH,
      fault: null,
    }
  } catch (refused) {
    if (refused instanceof Refusal) return stopped(refused.faults[0]?.message ?? refused.message)
    throw refused
  }
}

/** Writes the rows of a step together with the change's progress. */
export async function storeStep(tx: Tx, table: OpenTable, change: Steps, step: Step): Promise<void> {
  const { organisation_id } = table
  const rows = step.ids.length === 0 ? 0 : await writeRows(tx, table, change, step.ids)
  await recordStep(tx, organisation_id, change.id, { after_id: step.after_id, place: step.place, rows })
  if (step.last) await endChange(tx, organisation_id, change.id, step.fault)
}

/** Returns how many rows were changed. Their previous content is stored in the same transaction. */
async function writeRows(tx: Tx, table: OpenTable, change: Steps, ids: readonly string[]): Promise<number> {
  const { organisation_id } = table
  const { value, key } = change
  const column = columnOf(table, change)
  const locked = await lockRows(tx, organisation_id, ids)
  const rows = column ? locked.filter(({ cells }) => (cells[column.number] ?? null) !== value) : locked
  // The whole row, even if one cell is written: an erasure finds a person in it by their phone number.
  const before = rows.map(({ id, ...row }) => ({ row_id: id, ...row }))
  await insertBefore(tx, organisation_id, change.id, before)
  if (!column) {
    const deleted = rows.map(({ id }) => id)
    return deleteRows(tx, organisation_id, deleted)
  }
  const cells = cellOf(table, column, value, key)
  const drafts = rows.map((row) => mergeInto(row, cells))
  if (drafts.length > 0) await updateRows(tx, organisation_id, drafts)
  return drafts.length
}

/** The column that a change sets; undefined if it deletes rows, or the column was deleted. */
export function columnOf(table: OpenTable, { number }: Pick<ChangeRow, 'number'>): ColumnRow | undefined {
  return table.columns.find(({ first_number }) => first_number === number)
}

/** One cell as `mergeInto` takes it; without a value it is cleared. */
export function cellOf(table: OpenTable, column: ColumnRow, value: string | null = null, key: string | null = null) {
  const cells: Cells = new Map()
  putCell(cells, column, value === null || key === null ? null : { value, key }, table.plan)
  return cells
}
