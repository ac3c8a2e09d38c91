import type { Tx } from '../db/connect.ts'
import { lockWithTwin, resumeBoth, suspendBoth } from './suspend-store.ts'

export type Suspended = {
  /** The organisation and its test twin: both are to be looked at anew. */
  ids: string[]
  before: string | null
}

/**
 * Keeps an organisation and its test twin from sending, or lets them again. What was accepted before comes to its end;
 * campaigns wait. Undefined where there is none.
 */
export async function setSuspended(
  tx: Tx,
  organisation_id: string,
  suspended: boolean,
): Promise<Suspended | undefined> {
  const found = await lockWithTwin(tx, organisation_id)
  if (found.length === 0) return undefined
  await (suspended ? suspendBoth(tx, organisation_id) : resumeBoth(tx, organisation_id))
  const own = found.find(({ id }) => id === organisation_id)
  return { ids: found.map(({ id }) => id), before: own?.suspended_datetime ?? null }
}
