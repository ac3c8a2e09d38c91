import type { Tx } from '../db/connect.ts'
import { LOCKS } from '../db/locks.ts'
import { transaction } from '../db/transaction.ts'
import { newApiKey } from './api-key.ts'
import { foundOrganisation, type Founding, type OrganisationOptions } from './create.ts'
import { storeKey } from './keys.ts'
import { findFirstOrganisation } from './store.ts'

export type First = {
  organisation_id: string
  /** The key to show, once: only when it was made just now. */
  new_api_key?: string
}

/**
 * Makes the first organisation when there is none. A key given by the environment is added to it at every start, so
 * that a container can be given a new one; a generated key exists only at the first start.
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
