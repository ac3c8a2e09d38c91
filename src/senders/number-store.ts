import type { Db } from '../db/connect.ts'

/** A sender that people can write to. */
export type NumberRow = { id: string; sender_id: string; created_datetime: string; updated_datetime: string | null }

/** Approved senders of digits: those before an id newest first, or those after one oldest first. */
export async function listNumbers(
  db: Db,
  organisation_id: string,
  number: string | undefined,
  { before, after, limit }: { before?: string | undefined; after?: string | undefined; limit: number },
): Promise<NumberRow[]> {
  return db<NumberRow[]>`
    select id, sender_id, created_datetime, updated_datetime from senders
    where organisation_id = ${organisation_id} and state = 'approved' and sender_id ~ '^[0-9]+$'
      ${number === undefined ? db`` : db`and sender_id = ${number}`}
      ${before === undefined ? db`` : db`and id < ${before}`}
      ${after === undefined ? db`` : db`and id > ${after}`}
    order by id ${after === undefined ? db`desc` : db``} limit ${limit}`
}

export async function findNumber(db: Db, organisation_id: string, id: string): Promise<NumberRow | undefined> {
  const [row] = await db<NumberRow[]>`
    select id, sender_id, created_datetime, updated_datetime from senders
    where organisation_id = ${organisation_id} and id = ${id} and state = 'approved' and sender_id ~ '^[0-9]+$'`
  return row
}
