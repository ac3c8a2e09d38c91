import type { Db } from '../../db/connect.ts'
import { openAll, sealIfClear, type SecretSeal } from '../../values/secrets/secret-seal.ts'
import { listClearSecrets, listSomeSecrets, replaceSecrets } from './secret-store.ts'

/** Looked at together. */
const AT_A_TIME = 500

/** A sealed secret is bound to its webhook: in another's row it does not open. */
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

/**
 * Seals what stands in clear, and says how many secrets, of some, do not open. Several processes may do so at once: who
 * comes second finds another text than it has read, and leaves it.
 */
export async function sealClearSecrets({
  db,
  secret_seal,
}: {
  db: Db
  secret_seal: SecretSeal
}): Promise<{ unreadable: number }> {
  for (;;) {
    const clear = await listClearSecrets(db, AT_A_TIME)
    for (const was of clear) {
      const place = placeOf(was.organisation_id, was.id)
      const old_secret = was.old_secret === null ? null : sealIfClear(secret_seal, was.old_secret, place)
      await replaceSecrets(db, was, { secret: sealIfClear(secret_seal, was.secret, place), old_secret })
    }
    if (clear.length < AT_A_TIME) break
  }
  const some = await listSomeSecrets(db, AT_A_TIME)
  const unreadable = some.filter(
    ({ organisation_id, id, secret }) => secret_seal.open(secret, placeOf(organisation_id, id)) === undefined,
  )
  return { unreadable: unreadable.length }
}

function placeOf(organisation_id: string, webhook_id: string): string {
  return `webhook ${organisation_id} ${webhook_id}`
}
