import type { Db } from '../../db/connect.ts'
import { openAll, type SecretSeal } from '../../values/secrets/secret-seal.ts'
import { listSomeSecrets } from './secret-store.ts'

/** How many of the newest secrets the start checks. */
const CHECKED_SECRETS = 500

/** Seals a secret for its webhook: in the row of another webhook it does not open. */
export function sealSecret(seal: SecretSeal, organisation_id: string, webhook_id: string, secret: string): string {
  return seal.close(secret, placeOf(organisation_id, webhook_id))
}

/** What signs the posts to a registered endpoint. Those sealed under another pepper are left out. */
export function openSecrets(
  seal: SecretSeal,
  organisation_id: string,
  webhook_id: string,
  stored: readonly string[],
): string[] {
  return openAll(seal, stored, placeOf(organisation_id, webhook_id))
}

/** Counts secrets, among the newest, that do not open under the configured pepper. */
export async function countUnreadableSecrets({
  db,
  secret_seal,
}: {
  db: Db
  secret_seal: SecretSeal
}): Promise<number> {
  const some = await listSomeSecrets(db, CHECKED_SECRETS)
  return some.filter((row) => secret_seal.open(row.secret, placeOf(row.organisation_id, row.id)) === undefined).length
}

export function placeOf(organisation_id: string, webhook_id: string): string {
  return `webhook ${organisation_id} ${webhook_id}`
}
