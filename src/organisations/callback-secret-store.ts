import type { Db } from '../db/connect.ts'
import { SEALED } from '../values/secrets/secret-seal.ts'

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

/** Organisations with a secret that is not sealed, some of them. */
export async function listClearSecrets(db: Db, limit: number): Promise<{ id: string; callback_secrets: string[] }[]> {
  return db<{ id: string; callback_secrets: string[] }[]>`
    select id, callback_secrets from organisations
    where exists (select from unnest(callback_secrets) as secret where not starts_with(secret, ${SEALED}))
    limit ${limit}`
}

/** Only while they are still what was read. */
export async function replaceCallbackSecrets(
  db: Db,
  organisation_id: string,
  was: readonly string[],
  secrets: readonly string[],
): Promise<void> {
  await db`
    update organisations set callback_secrets = ${secrets}::text[]
    where id = ${organisation_id} and callback_secrets = ${was}::text[]`
}

/** The newest secrets of the newest organisations. */
export async function listSomeSecrets(db: Db, limit: number): Promise<{ id: string; secret: string }[]> {
  return db<{ id: string; secret: string }[]>`
    select id, callback_secrets[1] as secret from organisations order by id desc limit ${limit}`
}
