import type { Tx } from '../db/connect.ts'
import { LOCKS } from '../db/locks.ts'
import { transaction } from '../db/transaction.ts'
import { newApiKey } from './api-key.ts'
import { foundOrganisation, type Founding, type OrganisationOptions } from './create.ts'
import { storeKey } from './keys.ts'
import { findFirstOrganisation } from './store.ts'

export type First = {
  organisation_id: string
  /** The generated key, only if it was created by this start. */
  new_api_key?: string
}

/**
 * Creates the first organisation if there is none. A key from the environment is added at every start, so that it can be
 * replaced; otherwise a key is generated once, at the first start.
 */
export async function ensureFirstOrganisation(
  deps: Founding,
  options: OrganisationOptions,
  given_key: string | undefined,
): Promise<First> {
  return transaction(deps.db, async (tx) => {
    await tx`select pg_advisory_xact_lock(${LOCKS.first_organisation})`
    const found = await findFirstOrganisation(tx)
    const organisation_id = found?.id ?? (await foundOrganisation(deps, tx, options))
    if (given_key !== undefined) {
      await rememberKey(tx, organisation_id, given_key)
      return { organisation_id }
    }
    if (found) return { organisation_id }
    const new_api_key = newApiKey('live')
    await rememberKey(tx, organisation_id, new_api_key)
    return { organisation_id, new_api_key }
  })
}

async function rememberKey(tx: Tx, organisation_id: string, key: string): Promise<void> {
  await storeKey(tx, organisation_id, key, { name: 'first key', scopes: null, expires_datetime: null })
}
