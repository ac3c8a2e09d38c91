import { Type, type Static } from '../values/schema/type.ts'
import type { Db, Tx } from '../db/connect.ts'
import { transaction } from '../db/transaction.ts'
import { isId, newId } from '../values/id.ts'
import { readPage, type PageQuery, type Pagination } from '../values/page.ts'
import { refuseIfFaulty, type Fault } from '../values/refusal.ts'
import { isStorable } from '../values/input/storable.ts'
import { nameKey } from './keys.ts'
import { readFilters } from './query/filters.ts'
import type { CountDeps } from './query/query.ts'
import { Filters, MAX_SMARTLIST_NAME, type Smartlist } from './query/schema.ts'
import { shownSmartlist, unknownSmartlist } from './query/search.ts'
import {
  countSmartlists,
  deleteSmartlist,
  findSmartlist,
  insertSmartlist,
  isNameTaken,
  listSmartlists,
  updateSmartlist,
  type SmartlistRow,
} from './smartlist-store.ts'
import { nameTaken, openTable, readName, type OpenTable, type Owner } from './table.ts'
import { lockTable } from './table-store.ts'

const Name = Type.String({ minLength: 1, maxLength: MAX_SMARTLIST_NAME, examples: ['Lagos'] })

export const SmartlistBody = Type.Object({ name: Name, filters: Filters })
export type SmartlistBody = Static<typeof SmartlistBody>

export const SmartlistChange = Type.Object({ name: Type.Optional(Name), filters: Type.Optional(Filters) })
export type SmartlistChange = Static<typeof SmartlistChange>

const MAX_SMARTLISTS = 1_000

type Counted = Smartlist & { count: number }

export async function createSmartlist(
  deps: CountDeps,
  owner: Owner,
  body: Partial<SmartlistBody>,
  shape_faults: readonly Fault[],
): Promise<Counted> {
  const { organisation_id } = owner
  const table = await openTable(deps, owner)
  const faults = [...shape_faults]
  const { saved } = readFilters(table, body.filters, faults)
  const list = { id: newId(), ...readName(body.name, 'smartlist', faults), filters: saved }
  await transaction(deps.db, async (tx) => {
    await lockTable(tx, organisation_id)
    if ((await countSmartlists(tx, organisation_id)) >= MAX_SMARTLISTS) {
      faults.push({ field: 'smartlists', message: `At most ${MAX_SMARTLISTS} smartlists.`, type: 'less_than_equal' })
    }
    if (isStorable(list.name) && (await isNameTaken(tx, organisation_id, list))) faults.push(nameTaken('smartlist'))
    refuseIfFaulty(faults)
    await insertSmartlist(tx, organisation_id, list)
  })
  return readSmartlist(deps, owner, list.id)
}

export async function readSmartlist(deps: CountDeps, owner: Owner, id: string): Promise<Counted> {
  const table = await openTable(deps, owner)
  return counted(deps, table, await known(deps.db, owner, id))
}

export async function changeSmartlist(
  deps: CountDeps,
  owner: Owner,
  id: string,
  body: SmartlistChange,
  shape_faults: readonly Fault[],
): Promise<Counted> {
  const { organisation_id } = owner
  const table = await openTable(deps, owner)
  await known(deps.db, owner, id)
  const faults = [...shape_faults]
  const { saved } = readFilters(table, body.filters, faults)
  await transaction(deps.db, async (tx) => {
    await lockTable(tx, organisation_id)
    const before = await known(tx, owner, id)
    const named =
      body.name === undefined
        ? { name: before.name, name_key: nameKey(before.name) }
        : readName(body.name, 'smartlist', faults)
    const list = { id, ...named, filters: body.filters === undefined ? before.filters : saved }
    if (isStorable(list.name) && (await isNameTaken(tx, organisation_id, list))) faults.push(nameTaken('smartlist'))
    refuseIfFaulty(faults)
    await updateSmartlist(tx, organisation_id, list)
  })
  return readSmartlist(deps, owner, id)
}

export async function findSmartlists(
  deps: { db: Db },
  owner: Owner,
  query: PageQuery,
): Promise<{ smartlists: Smartlist[]; pagination: Pagination }> {
  const table = await openTable(deps, owner)
  const { rows, pagination } = await listSmartlists(deps.db, owner.organisation_id, readPage(query))
  return { smartlists: rows.map((row) => shownSmartlist(table, row)), pagination }
}

export async function removeSmartlist(deps: { db: Db }, owner: Owner, id: string): Promise<void> {
  if (!isId(id) || !(await deleteSmartlist(deps.db, owner.organisation_id, id))) throw unknownSmartlist()
}

async function known(sql: Db | Tx, { organisation_id }: Owner, id: string): Promise<SmartlistRow> {
  const row = isId(id) ? await findSmartlist(sql, organisation_id, id) : undefined
  if (!row) throw unknownSmartlist()
  return row
}

async function counted(deps: CountDeps, table: OpenTable, row: SmartlistRow): Promise<Counted> {
  const smartlist = shownSmartlist(table, row)
  const { conditions } = readFilters(table, row.filters, [])
  const search = { organisation_id: table.organisation_id, conditions, sort: undefined }
  const key = ['smartlist', row.id, row.updated_datetime].join(' ')
  return { ...smartlist, count: await deps.countContactRows(search, key) }
}
