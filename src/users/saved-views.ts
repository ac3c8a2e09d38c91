import type { Db } from '../db/connect.ts'
import { transaction } from '../db/transaction.ts'
import { isId, newId } from '../values/id.ts'
import { Refusal, refuseIfFaulty, type Fault } from '../values/refusal.ts'
import { isStorable } from '../values/input/storable.ts'
import { MAX_VIEWS, type SavedView, type SavedViewBody } from './schema.ts'
import { countOtherViews, deleteView, listViews, upsertView, type Viewer } from './saved-view-store.ts'

export async function findViews(deps: { db: Db }, viewer: Viewer): Promise<SavedView[]> {
  return listViews(deps.db, viewer, MAX_VIEWS)
}

/** Two concurrent saves may exceed the limit by one; the list shows the first `MAX_VIEWS`. */
export async function saveView(deps: { db: Db }, viewer: Viewer, body: SavedViewBody): Promise<SavedView> {
  const name = body.name.trim()
  const { q, status, range, from, until } = body.query
  const given = Object.entries({ q, status, range, from, until })
  const query = Object.fromEntries(given.flatMap(([filter, value]) => (value ? [[filter, value] as const] : [])))
  refuseIfFaulty(faultsIn(name, query))
  return transaction(deps.db, async (tx) => {
    if ((await countOtherViews(tx, viewer, name)) >= MAX_VIEWS) {
      const message = `At most ${MAX_VIEWS} views. Delete one first.`
      refuseIfFaulty([{ field: 'name', message, type: 'less_than_equal' }])
    }
    const saved = await upsertView(tx, viewer, { id: newId(), name, query })
    if (!saved) throw new Error('a saved view was not returned')
    return saved
  })
}

function faultsIn(name: string, query: SavedView['query']): Fault[] {
  if (name === '') return [{ field: 'name', message: 'A view needs a name.', type: 'missing' }]
  return Object.entries({ name, ...query })
    .filter(([, value]) => !isStorable(value))
    .map(([field]) => ({ field, message: 'This holds a character that cannot be saved.', type: 'invalid' }))
}

export async function removeView(deps: { db: Db }, viewer: Viewer, id: string): Promise<void> {
  if (!isId(id) || !(await deleteView(deps.db, viewer, id))) {
    throw new Refusal('not_found', 'There is no such view.')
  }
}
