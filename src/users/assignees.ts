import type { Db } from '../db/connect.ts'
import { isId } from '../values/id.ts'
import { listActiveUsers, listNames } from './assignee-store.ts'
import { mayDo, ROLES } from './roles.ts'

const REPLYING = ROLES.filter((role) => mayDo(role, 'sms', true))

/** The users of an organisation, or of the live organisation of a test twin, who may reply to people; by name. */
export async function findAssignees(
  db: Db,
  organisation_id: string,
  limit: number,
): Promise<{ id: string; name: string }[]> {
  return listActiveUsers(db, organisation_id, { roles: REPLYING, limit })
}

export async function mayAssign(db: Db, organisation_id: string, user_id: string): Promise<boolean> {
  if (!isId(user_id)) return false
  return (await listActiveUsers(db, organisation_id, { roles: REPLYING, limit: 1, user_id })).length === 1
}

/** Names of users of the organisation and of operators, also of disabled ones. */
export async function findUserNames(
  db: Db,
  organisation_id: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const distinct = [...new Set(ids)]
  const found = distinct.length === 0 ? [] : await listNames(db, organisation_id, distinct)
  return new Map(found.map(({ id, name }) => [id, name]))
}
