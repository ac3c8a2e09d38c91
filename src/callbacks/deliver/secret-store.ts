import type { Db } from '../../db/connect.ts'
import { SEALED } from '../../values/secrets/secret-seal.ts'

/** The secrets of a webhook as they are stored. */
export type SecretRow = { organisation_id: string; id: string; secret: string; old_secret: string | null }

/** Webhooks with a secret that is not sealed, some of them. */
export async function listClearSecrets(db: Db, limit: number): Promise<SecretRow[]> {
  return db<SecretRow[]>`
    select organisation_id, id, secret, old_secret from webhooks
    where not starts_with(secret, ${SEALED}) or not starts_with(old_secret, ${SEALED})
    limit ${limit}`
}

/** Only while they are still what was read. */
export async function replaceSecrets(
  db: Db,
  was: SecretRow,
  { secret, old_secret }: Pick<SecretRow, 'secret' | 'old_secret'>,
): Promise<void> {
  await db`
    update webhooks set secret = ${secret}, old_secret = ${old_secret}
    where organisation_id = ${was.organisation_id} and id = ${was.id} and secret = ${was.secret}
      and old_secret is not distinct from ${was.old_secret}`
}

/** The secrets of the newest webhooks. */
export async function listSomeSecrets(db: Db, limit: number): Promise<SecretRow[]> {
  return db<SecretRow[]>`
    select organisation_id, id, secret, old_secret from webhooks order by id desc limit ${limit}`
}
