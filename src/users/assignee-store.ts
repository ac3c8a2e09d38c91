import type { Db } from '../db/connect.ts'
import type { Role } from './roles.ts'

/** Users belong to the live organisation, not to its test twin. An invited user has no name yet. */
export async function listActiveUsers(
  db: Db,
  organisation_id: string,
  { roles, limit, user_id }: { roles: readonly Role[]; limit: number; user_id?: string },
): Promise<{ id: string; name: string }[]> {
  return db<{ id: string; name: string }[]>`
    select users.id, coalesce(name, email) as name from users
    where organisation_id = (select coalesce(twin_of, id) from organisations where id = ${organisation_id})
      and role = any (${roles}::text[]) and disabled_datetime is null and coalesce(name, email) is not null
      ${user_id === undefined ? db`` : db`and users.id = ${user_id}`}
    order by lower(coalesce(name, email)), users.id limit ${limit}`
}

export async function listNames(
  db: Db,
  organisation_id: string,
  ids: readonly string[],
): Promise<{ id: string; name: string }[]> {
  return db<{ id: string; name: string }[]>`
    select users.id, coalesce(name, email) as name from users
    where users.id = any (${ids}::uuid[]) and coalesce(name, email) is not null and (
      organisation_id is null
      or organisation_id = (select coalesce(twin_of, id) from organisations where id = ${organisation_id})
    )`
}
