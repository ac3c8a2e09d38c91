import type { Db } from '../../db/connect.ts'

/** Sealed secrets of the newest webhooks. */
export async function listSomeSecrets(
  db: Db,
  limit: number,
): Promise<{ organisation_id: string; id: string; secret: string }[]> {
  return db<{ organisation_id: string; id: string; secret: string }[]>`
    select organisation_id, id, secret from webhooks order by id desc limit ${limit}`
}
