import type { Db, Tx } from '../db/connect.ts'
import { listPage, type Listed } from '../db/list-page.ts'
import type { Page } from '../values/page.ts'
import type { SavedFilters } from './query/schema.ts'

export type SmartlistRow = {
  id: string
  name: string
  filters: SavedFilters
  created_datetime: string
  updated_datetime: string | null
}

export async function findSmartlist(sql: Db | Tx, organisation_id: string, id: string) {
  const [row] = await sql<SmartlistRow[]>`
    select id, name, filters, created_datetime, updated_datetime
    from contact_smartlists where organisation_id = ${organisation_id} and id = ${id}`
  return row
}

/** Newest first. */
export async function listSmartlists(db: Db, organisation_id: string, page: Page): Promise<Listed<SmartlistRow>> {
  return listPage<SmartlistRow>(db, page, {
    select: db`id, name, filters, created_datetime, updated_datetime`,
    from: db`contact_smartlists`,
    where: db`organisation_id = ${organisation_id}`,
  })
}

export async function countSmartlists(sql: Db | Tx, organisation_id: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::integer as count from contact_smartlists where organisation_id = ${organisation_id}`
  return row?.count ?? 0
}

/** False if the name is taken. */
export async function insertSmartlist(
  tx: Tx,
  organisation_id: string,
  list: { id: string; name: string; name_key: string; filters: SavedFilters },
): Promise<boolean> {
  const made = await tx`
    insert into contact_smartlists (organisation_id, id, name, name_key, filters)
    values (${organisation_id}, ${list.id}, ${list.name}, ${list.name_key},
      ${JSON.stringify(list.filters)}::text::jsonb)
    on conflict (organisation_id, name_key) do nothing`
  return made.count === 1
}

export async function isNameTaken(
  tx: Tx,
  organisation_id: string,
  list: { id: string; name_key: string },
): Promise<boolean> {
  const found = await tx`
    select 1 from contact_smartlists
    where organisation_id = ${organisation_id} and name_key = ${list.name_key} and id <> ${list.id}`
  return found.length > 0
}

export async function updateSmartlist(
  tx: Tx,
  organisation_id: string,
  list: { id: string; name: string; name_key: string; filters: SavedFilters },
): Promise<boolean> {
  const changed = await tx`
    update contact_smartlists
    set name = ${list.name}, name_key = ${list.name_key}, filters = ${JSON.stringify(list.filters)}::text::jsonb,
      updated_datetime = now()
    where organisation_id = ${organisation_id} and id = ${list.id}`
  return changed.count === 1
}

export async function deleteSmartlist(db: Db, organisation_id: string, id: string): Promise<boolean> {
  const gone = await db`delete from contact_smartlists where organisation_id = ${organisation_id} and id = ${id}`
  return gone.count === 1
}

export async function smartlistsUsing(sql: Db | Tx, organisation_id: string, column_id: string) {
  return sql<Pick<SmartlistRow, 'name' | 'filters'>[]>`
    select name, filters from contact_smartlists
    where organisation_id = ${organisation_id}
      and (filters @> jsonb_build_array(jsonb_build_object('column_id', ${column_id}::text))
        or filters @> jsonb_build_array(jsonb_build_object('any',
          jsonb_build_array(jsonb_build_object('column_id', ${column_id}::text)))))
    order by id`
}
