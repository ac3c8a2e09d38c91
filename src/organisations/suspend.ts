import type { Tx } from '../db/connect.ts'
import type { LimitsBody } from './schema.ts'
import { lockWithTwin, resumeBoth, setLimits, suspendBoth, type Held } from './suspend-store.ts'

export type Suspended = {
  /** The organisation and its test twin, whose cached state is stale. */
  ids: string[]
  before: string | null
  held_before: Held | null
}

/**
 * Suspends an organisation and its test twin, or reactivates them. Accepted messages are still sent; campaigns pause.
 * Undefined if the organisation does not exist.
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
  return { ids: found.map(({ id }) => id), before: own?.suspended_datetime ?? null, held_before: own?.held ?? null }
}

type Limits = Pick<LimitsBody, 'requests_per_s' | 'messages_per_s'>

/** Sets the rates of an organisation and of its test twin. Undefined if it does not exist. */
export async function limitOrganisation(
  tx: Tx,
  organisation_id: string,
  limits: Limits,
): Promise<{ ids: string[]; before: Limits } | undefined> {
  const found = await lockWithTwin(tx, organisation_id)
  const own = found.find(({ id }) => id === organisation_id)
  if (!own) return undefined
  await setLimits(tx, organisation_id, limits)
  const { requests_per_s, messages_per_s } = own
  return { ids: found.map(({ id }) => id), before: { requests_per_s, messages_per_s } }
}
