import type { Db } from './connect.ts'
import { byLayout } from './layout.ts'

/** Which rows of a table are expired. Names and the condition are SQL from source code, never input. */
export type RetentionRule = {
  table: string
  /** The timestamp that counts, or a column of UUIDv7 with their time; by default the latter, `id`. */
  column?: string | { uuid: string }
  older_than: `${number} ${'minutes' | 'hours' | 'days'}`
  /** Rows that do not fulfil this stay. */
  condition?: string
  /**
   * At most this many rows of each organisation per call, for tables with many or large rows. A cluster deletes all, each
   * node its own, because a distributed statement cannot choose the first rows.
   */
  limit_per_organisation?: number
}

/** Deletes expired rows and returns how many. */
export async function deleteExpired(db: Db, rule: RetentionRule): Promise<number> {
  const { table, column = { uuid: 'id' }, older_than, condition = 'true', limit_per_organisation } = rule
  const moment = `now() - interval '${older_than}'`
  const is_old = typeof column === 'string' ? `${column} < ${moment}` : `${column.uuid} < first_id_at(${moment})`
  const all = `delete from ${table} where ${is_old} and ${condition}`
  if (limit_per_organisation === undefined) return (await db.unsafe(all)).count
  const limited = `
    delete from ${table} using (
      select owner.id as organisation_id, expired.id
      from (select id from organisations union all select '${NIL}'::uuid) owner
      cross join lateral (
        select id from ${table} where organisation_id = owner.id and ${is_old} and ${condition}
        order by id limit ${limit_per_organisation}
      ) expired
    ) expired
    where ${table}.organisation_id = expired.organisation_id and ${table}.id = expired.id`
  return (await db.unsafe(byLayout(db, { single_server: limited, cluster: all }))).count
}

/** Owns the rows that belong to no organisation. */
const NIL = '00000000-0000-0000-0000-000000000000'
