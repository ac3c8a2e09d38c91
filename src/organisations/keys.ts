import type { Db, Tx } from '../db/connect.ts'
import { newId } from '../values/id.ts'
import { hashApiKey, hintOf, newApiKey } from './api-key.ts'
import { insertKey } from './key-store.ts'
import type { Scope } from './schema.ts'
import { findTwin } from './store.ts'

export type KeyOptions = {
  name: string | null
  scopes: readonly Scope[] | null
  expires_datetime: string | null
  daily_spending_limit?: bigint | null
  /** The key whose spending it shares. */
  spends_as?: string
}

/** Issues a key and returns it; only its hash is stored. A test key belongs to the organisation's test twin. */
export async function createKey(
  deps: { db: Db },
  organisation_id: string,
  mode: 'live' | 'test',
  options: KeyOptions,
): Promise<{ id: string; key: string }> {
  return issueKey(deps.db, organisation_id, mode, options)
}

/** The same within a transaction. */
export async function issueKey(
  sql: Db | Tx,
  organisation_id: string,
  mode: 'live' | 'test',
  options: KeyOptions,
): Promise<{ id: string; key: string }> {
  const owner = mode === 'live' ? organisation_id : (await findTwin(sql, organisation_id))?.id
  if (owner === undefined) throw new Error(`organisation ${organisation_id} has no test twin`)
  const key = newApiKey(mode)
  const id = await storeKey(sql, owner, key, options)
  return { id, key }
}

export async function storeKey(
  sql: Db | Tx,
  organisation_id: string,
  key: string,
  options: KeyOptions,
): Promise<string> {
  const id = newId()
  await insertKey(sql, { id, organisation_id, key_hash: hashApiKey(key), hint: hintOf(key), ...options })
  return id
}
