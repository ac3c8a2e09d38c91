import { connectionsOf } from '../../db/layout.ts'
import type { Db } from '../../db/connect.ts'
import { urlOf } from './address.ts'
import type { EventSubject } from './simpu.ts'

/** The message or purchase of an event; undefined once it is deleted. */
export async function findSubject(
  db: Db,
  organisation_id: string,
  { type, subject_id }: { type: string; subject_id: string },
): Promise<EventSubject | undefined> {
  const there = connectionsOf(db, organisation_id)
  const table = type.startsWith('airtime.') ? there`purchases` : there`messages`
  const [row] = await there<EventSubject[]>`
    select callback, created_datetime from ${table}
    where organisation_id = ${organisation_id} and id = ${subject_id}`
  return row && { ...row, callback: row.callback === null ? null : urlOf(row.callback) }
}
