import type { Db, Tx } from '../../db/connect.ts'
import { transaction } from '../../db/transaction.ts'
import { Refusal } from '../../values/refusal.ts'
import { findRows } from '../query/find.ts'
import { readSearch } from '../query/search.ts'
import { deleteRows, lockRows, updateRows } from '../rows/row-store.ts'
import { setCell } from '../rows/rows.ts'
import type { OpenTable } from '../table.ts'
import { endChange, insertBefore, lockChange, recordStep, type ChangeRow } from './change-store.ts'

/** Rows written in one transaction. */
const BATCH = 1_000

type Steps = Pick<ChangeRow, 'id' | 'action' | 'number' | 'value' | 'key' | 'query' | 'row_ids' | 'after_id' | 'place'>

/** Applies the change to its next rows, unless another worker has stored that step meanwhile. */
export async function applyNext(deps: { db: Db }, table: OpenTable, change: Steps): Promise<void> {
  const next = await findStep(deps, table, change)
  await transaction(deps.db, async (tx) => {
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
  if (change.number !== null && !table.columns.some(({ number }) => number === change.number)) {
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
  const number = change.number ?? 0
  const locked = await lockRows(tx, organisation_id, ids)
  const rows = change.action === 'delete' ? locked : locked.filter(({ cells }) => (cells[number] ?? null) !== value)
  // The whole row, even if one cell is written: an erasure finds a person in it by their phone number.
  const before = rows.map(({ id, ...row }) => ({ row_id: id, ...row }))
  await insertBefore(tx, organisation_id, change.id, before)
  if (change.action === 'delete') {
    const deleted = rows.map(({ id }) => id)
    return deleteRows(tx, organisation_id, deleted)
  }
  const drafts = rows.map((row) => setCell(row, number, value, key))
  if (drafts.length > 0) await updateRows(tx, organisation_id, drafts)
  return drafts.length
}
