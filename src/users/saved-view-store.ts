import type { Db, Tx } from '../db/connect.ts'
import type { SavedView, SavedViewBody } from './schema.ts'

/** A user in one organisation. */
export type Viewer = { organisation_id: string; user_id: string }

/** Sorted by name. */
export async function listViews(db: Db, { organisation_id, user_id }: Viewer, limit: number): Promise<SavedView[]> {
  return db<SavedView[]>`
    select id, name, query, created_datetime from saved_views
    where organisation_id = ${organisation_id} and user_id = ${user_id}
    order by name limit ${limit}`
}

export async function countOtherViews(tx: Tx, { organisation_id, user_id }: Viewer, name: string): Promise<number> {
  const [row] = await tx<{ count: number }[]>`
    select count(*)::integer as count from saved_views
    where organisation_id = ${organisation_id} and user_id = ${user_id} and name <> ${name}`
  return row?.count ?? 0
}

/** Saves a view; an existing view of that name gets the new filters, so that saving is idempotent. */
export async function upsertView(
  tx: Tx,
  { organisation_id, user_id }: Viewer,
  view: SavedViewBody & { id: string },
): Promise<SavedView | undefined> {
  const [row] = await tx<SavedView[]>`
    insert into saved_views (organisation_id, id, user_id, name, query)
    values (${organisation_id}, ${view.id}, ${user_id}, ${view.name}, ${JSON.stringify(view.query)}::text::jsonb)
    on conflict (organisation_id, user_id, name) do update set query = excluded.query
    returning id, name, query, created_datetime`
  return row
}

export async function deleteView(db: Db, { organisation_id, user_id }: Viewer, id: string): Promise<boolean> {
  const gone = await db`
    delete from saved_views where organisation_id = ${organisation_id} and user_id = ${user_id} and id = ${id}`
  return gone.count === 1
}
