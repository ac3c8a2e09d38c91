import type { Db } from '../db/connect.ts'

/** As they are stored, newest first. */
export async function readCallbackSecrets(db: Db, organisation_id: string): Promise<string[]> {
  const [row] = await db<{ callback_secrets: string[] }[]>`
    select callback_secrets from organisations where id = ${organisation_id}`
  return row?.callback_secrets ?? []
}

export async function addCallbackSecret(db: Db, organisation_id: string, sealed: string): Promise<void> {
  await db`
    update organisations set callback_secrets = array[${sealed}, callback_secrets[1]]
    where id = ${organisation_id}`
}

/** Only the newest secret signs from now on. */
export async function retireCallbackSecrets(db: Db, organisation_id: string): Promise<void> {
  await db`update organisations set callback_secrets = callback_secrets[1:1] where id = ${organisation_id}`
}

/** The newest secrets of the newest organisations. */
export async function listSomeSecrets(db: Db, limit: number): Promise<{ id: string; secret: string }[]> {
  return db<{ id: string; secret: string }[]>`
    select id, callback_secrets[1] as secret from organisations order by id desc limit ${limit}`
}
