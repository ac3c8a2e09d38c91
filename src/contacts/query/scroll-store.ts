import type { Db } from '../../db/connect.ts'
import type { SavedQuery } from './scroll.ts'

/** Keeps a query while it is used. Writes nothing when it was kept within the hour. */
export async function keepQuery(db: Db, organisation_id: string, id: string, query: SavedQuery): Promise<void> {
  await db`
    insert into contact_queries as kept (organisation_id, id, query)
    select ${organisation_id}, ${id}, ${JSON.stringify(query)}::text::jsonb
    where not exists (
      select 1 from contact_queries
      where organisation_id = ${organisation_id} and id = ${id} and used_datetime > now() - interval '1 hour'
    )
    on conflict (organisation_id, id) do update set used_datetime = excluded.used_datetime`
}

export async function findQuery(db: Db, organisation_id: string, id: string): Promise<SavedQuery | undefined> {
  const [row] = await db<{ query: SavedQuery }[]>`
    select query from contact_queries where organisation_id = ${organisation_id} and id = ${id}`
  return row?.query
}

export async function forgetQueries(db: Db, older_than_h: number): Promise<void> {
  await db`delete from contact_queries where used_datetime < now() - ${older_than_h} * interval '1 hour'`
}
