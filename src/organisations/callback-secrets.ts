import type { Db } from '../db/connect.ts'
import { openAll, type SecretSeal } from '../values/secrets/secret-seal.ts'
import { addCallbackSecret, listSomeSecrets, readCallbackSecrets } from './callback-secret-store.ts'

type Deps = { db: Db; secret_seal: SecretSeal }

/** How many of the newest secrets the start checks. */
const CHECKED_SECRETS = 500

/** Seals a secret for one organisation: it does not open in the row of another. */
export function sealCallbackSecret(seal: SecretSeal, organisation_id: string, secret: string): string {
  return seal.close(secret, contextOf(organisation_id))
}

/** The secrets that sign callbacks of requests, newest first, without those sealed under another pepper. */
export async function openCallbackSecrets({ db, secret_seal }: Deps, organisation_id: string): Promise<string[]> {
  return openAll(secret_seal, await readCallbackSecrets(db, organisation_id), contextOf(organisation_id))
}

/** Adds a secret; the newest previous one also signs until it is retired. */
export async function rotateCallbackSecret({ db, secret_seal }: Deps, organisation_id: string, secret: string) {
  await addCallbackSecret(db, organisation_id, sealCallbackSecret(secret_seal, organisation_id, secret))
}

/** Counts secrets, among the newest, that do not open under the configured pepper. */
export async function countUnreadableCallbackSecrets({ db, secret_seal }: Deps): Promise<number> {
  const some = await listSomeSecrets(db, CHECKED_SECRETS)
  return some.filter(({ id, secret }) => secret_seal.open(secret, contextOf(id)) === undefined).length
}

export function contextOf(organisation_id: string): string {
  return `callbacks of ${organisation_id}`
}
