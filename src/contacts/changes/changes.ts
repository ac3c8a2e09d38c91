import type { Db } from '../../db/connect.ts'
import { enqueue } from '../../queue/store.ts'
import type { Wakeups } from '../../queue/wakeups.ts'
import { isId, newId } from '../../values/id.ts'
import { isRecord, pickPresent } from '../../values/record.ts'
import { Refusal, refuseIfFaulty, type Fault } from '../../values/refusal.ts'
import { readSearch } from '../query/search.ts'
import type { SavedQuery } from '../query/scroll.ts'
import { readCells } from '../cell.ts'
import { withTable, writeCells, type OpenTable, type Owner } from '../table.ts'
import { lockTable } from '../table-store.ts'
import { findStep, storeStep } from './apply.ts'
import { beginUndo, closeEarlier, countRunning, findChange, insertChange, type ChangeRow } from './change-store.ts'
import { restoreStep } from './restore.ts'
import type { Change, ChangeBody } from './schema.ts'
import { CHANGE_QUEUE, KEPT_MS } from './worker.ts'

type Deps = { db: Db; wakeups: Wakeups }
/** The user who makes a change; undefined for an API key. */
export type By = string | undefined

/** Changes of an organisation that may run at a time: each locks the rows of its batch. */
const MAX_RUNNING = 5

/** Creates a change and applies it to the first thousand rows, in one transaction; a job applies the rest. */
export async function createChange(
  deps: Deps,
  owner: Owner,
  by: By,
  body: Partial<ChangeBody>,
  shape_faults: readonly Fault[],
): Promise<Change> {
  const { organisation_id } = owner
  const id = newId()
  await withTable(deps, owner, async (table) => {
    const faults = [...shape_faults]
    const cell = readCell(table, body, faults)
    const row_ids = readIds(body, faults)
    const query = await readQuery(deps, table, body, faults)
    const place = { after_id: null, place: 0 }
    const change = { id, user_id: by ?? null, action: body.action ?? 'set', ...cell, query, row_ids, ...place }
    const first = await findStep(deps, table, change)
    await writeCells(deps.db, table, async (tx) => {
      await lockTable(tx, organisation_id)
      if ((await countRunning(tx, organisation_id)) >= MAX_RUNNING) {
        throw new Refusal('conflict', 'Other changes are still running: wait until one of them is done.')
      }
      await closeEarlier(tx, organisation_id, change.user_id)
      await insertChange(tx, organisation_id, change)
      await storeStep(tx, table, change, first)
      const delay_ms = first.last ? KEPT_MS : 0
      await enqueue(tx, CHANGE_QUEUE, [{ lane: organisation_id, organisation_id, subject_id: id, delay_ms }])
    })
  })
  deps.wakeups.wake(CHANGE_QUEUE)
  return readChange(deps, owner, by, id)
}

export async function readChange(deps: { db: Db }, owner: Owner, by: By, id: string): Promise<Change> {
  return shownChange(await known(deps.db, owner, by, id))
}

/** Undoes a change. Rows that were changed since keep their content and are counted. */
export async function undoChange(deps: Deps, owner: Owner, by: By, id: string): Promise<Change> {
  const { organisation_id } = owner
  const change = await known(deps.db, owner, by, id)
  const begun = await withTable(deps, owner, (table) =>
    writeCells(deps.db, table, async (tx) => {
      if (!(await beginUndo(tx, organisation_id, change.id))) return false
      const more = await restoreStep(tx, table, change)
      if (more) await enqueue(tx, CHANGE_QUEUE, [{ lane: organisation_id, organisation_id, subject_id: change.id }])
      return true
    }),
  )
  if (!begun) throw new Refusal('conflict', whyNot(change))
  deps.wakeups.wake(CHANGE_QUEUE)
  return readChange(deps, owner, by, id)
}

function whyNot({ status }: ChangeRow): string {
  switch (status) {
    case 'running':
      return 'The change is still running: undo it when it is done.'
    case 'undoing':
    case 'undone':
      return 'This change was undone already.'
    case 'done':
    case 'final':
      return 'It is too late to undo this: the time is over, or you have made another change since.'
  }
}

async function known(db: Db, { organisation_id }: Owner, by: By, id: string): Promise<ChangeRow> {
  const row = isId(id) ? await findChange(db, organisation_id, id) : undefined
  if (row && row.user_id === (by ?? null)) return row
  throw new Refusal('not_found', 'There is no such change, or another user made it.')
}

/** The cell that a `set` writes. */
function readCell(table: OpenTable, { action, columns }: Partial<ChangeBody>, faults: Fault[]) {
  const nothing = { number: null, value: null, key: null }
  if (action !== 'set') {
    if (action === 'delete' && isRecord(columns)) {
      faults.push({ field: 'columns', message: '`columns` is not allowed with the action `delete`.', type: 'invalid' })
    }
    return nothing
  }
  if (faults.some(({ field }) => field === 'columns')) return nothing
  const given = Object.keys(columns ?? {})
  if (given.length === 0) faults.push({ field: 'columns', message: 'This field is required.', type: 'missing' })
  if (given.length > 1) faults.push({ field: 'columns', message: 'One column at a time.', type: 'less_than_equal' })
  if (given.length !== 1) return nothing
  const [entry] = readCells(table, columns, 'columns', faults)
  if (!entry) return nothing
  const [number, cell] = entry
  const column = table.columns.find((one) => one.number === number)
  return { number: column?.first_number ?? number, value: cell?.value ?? null, key: cell?.key ?? null }
}

function readIds({ row_ids, query }: Partial<ChangeBody>, faults: Fault[]): string[] {
  if (faults.some(({ field }) => /^(row_ids|query)\b/.test(field))) return []
  if ((row_ids === undefined) === (query === undefined)) {
    const message = 'Give either `row_ids` or `query`.'
    faults.push({ field: 'row_ids', message, type: row_ids === undefined ? 'missing' : 'invalid' })
    return []
  }
  const ids = row_ids ?? query?.except ?? []
  const place = row_ids ? 'row_ids' : 'query.except'
  for (const [n, id] of ids.entries()) {
    if (!isId(id)) faults.push({ field: `${place}[${n}]`, message: 'This is not the id of a row.', type: 'invalid' })
  }
  return [...new Set(ids.map((id) => id.toLowerCase()))]
}

async function readQuery(
  deps: { db: Db },
  table: OpenTable,
  { query }: Partial<ChangeBody>,
  faults: readonly Fault[],
): Promise<SavedQuery | null> {
  if (!isRecord(query)) {
    refuseIfFaulty(faults)
    return null
  }
  const own = faults.filter(({ field }) => field.startsWith(PLACE))
  const others = faults.filter((fault) => !own.includes(fault))
  try {
    const given = own.map((fault) => ({ ...fault, field: fault.field.slice(PLACE.length) }))
    const { saved } = await readSearch(deps, table, query, given)
    if (others.length === 0) return saved
  } catch (refused) {
    if (!(refused instanceof Refusal)) throw refused
    const named = refused.faults.map((fault) => ({ ...fault, field: `${PLACE}${fault.field}` }))
    if (refused.code !== 'invalid_request') throw new Refusal(refused.code, refused.message, named)
    refuseIfFaulty([...others, ...named])
  }
  refuseIfFaulty(others)
  return null
}

const PLACE = 'query.'

function shownChange(row: ChangeRow): Change {
  return {
    ...pickPresent(row, 'id', 'action', 'status', 'rows', 'restored', 'not_restored', 'undo_until', 'fault'),
    ...pickPresent(row, 'created_datetime', 'updated_datetime'),
  }
}
