import type { Db } from '../db/connect.ts'
import { openAll, sealIfClear, type SecretSeal } from '../values/secrets/secret-seal.ts'
import {
  addCallbackSecret,
  listClearSecrets,
  listSomeSecrets,
  readCallbackSecrets,
  replaceCallbackSecrets,
} from './callback-secret-store.ts'

type Deps = { db: Db; secret_seal: SecretSeal }

/** Looked at together. */
const AT_A_TIME = 500

/** A sealed secret is bound to its organisation: in another's row it does not open. */
export function sealCallbackSecret(seal: SecretSeal, organisation_id: string, secret: string): string {
  return seal.close(secret, placeOf(organisation_id))
}

/** What signs the callbacks of its requests, newest first. Those sealed under another pepper are left out. */
export async function openCallbackSecrets({ db, secret_seal }: Deps, organisation_id: string): Promise<string[]> {
  return openAll(secret_seal, await readCallbackSecrets(db, organisation_id), placeOf(organisation_id))
}

/** From now on both the new secret and the newest old one sign, until the old one is retired. */
export async function rotateCallbackSecret({ db, secret_seal }: Deps, organisation_id: string, secret: string) {
  await addCallbackSecret(db, organisation_id, sealCallbackSecret(secret_seal, organisation_id, secret))
}

/**
 * Seals what stands in clear, and says of how many organisations, among some, the newest secret does not open. Several
 * processes may do so at once: who comes second finds another text than it has read, and leaves it.
 */
export async function sealClearCallbackSecrets({ db, secret_seal }: Deps): Promise<{ unreadable: number }> {
  for (;;) {
    const clear = await listClearSecrets(db, AT_A_TIME)
    for (const { id, callback_secrets } of clear) {
      const sealed = callback_secrets.map((secret) => sealIfClear(secret_seal, secret, placeOf(id)))
      await replaceCallbackSecrets(db, id, callback_secrets, sealed)
    }
    if (clear.length < AT_A_TIME) break
  }
  const some = await listSomeSecrets(db, AT_A_TIME)
  return { unreadable: some.filter(({ id, secret }) => secret_seal.open(secret, placeOf(id)) === undefined).length }
}

function placeOf(organisation_id: string): string {
  return `callbacks of ${organisation_id}`
}
