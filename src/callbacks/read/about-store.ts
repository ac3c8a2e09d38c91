import type { Db } from '../../db/connect.ts'

/** Callbacks about one recipient of a message, oldest first. Their bodies name the recipient. */
export async function listAboutRecipient(
  db: Db,
  organisation_id: string,
  subject_id: string,
  recipient: string,
  limit: number,
): Promise<{ id: string }[]> {
  return db<{ id: string }[]>`
    select id from callbacks
    where organisation_id = ${organisation_id} and subject_id = ${subject_id}
      and position(${`"recipient":${JSON.stringify(recipient)}`} in body) > 0
    order by id limit ${limit}`
}
