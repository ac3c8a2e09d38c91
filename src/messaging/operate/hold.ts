import type { Tx } from '../../db/connect.ts'
import { setHeld, type Held } from '../../organisations/suspend-store.ts'
import { setSuspended, type Suspended } from '../../organisations/suspend.ts'
import { countUnheldJobs, holdJobs, releaseHeldJobs } from '../../queue/hold-store.ts'
import { Refusal } from '../../values/refusal.ts'
import { countUnheldRows, holdRows, releaseHeldRows, takeRows } from '../intake/hold-store.ts'

/**
 * Suspends an organisation and its test twin, or reactivates them. What was accepted before is still sent, unless it is held;
 * reactivation releases it. Undefined if the organisation does not exist.
 */
export async function suspendOrganisation(
  tx: Tx,
  organisation_id: string,
  suspended: boolean,
  { abandons_move = false }: { abandons_move?: boolean } = {},
): Promise<Suspended | undefined> {
  const done = await setSuspended(tx, organisation_id, suspended)
  if (!done || suspended || done.held_before === null) return done
  if (done.held_before === 'exported' && !abandons_move) throw new Refusal('conflict', MOVED)
  await releaseHeldJobs(tx, done.ids)
  await releaseHeldRows(tx, done.ids)
  return done
}

const MOVED =
  'It was exported to be moved. Resumed in both installations, both would send what waits: only if the export is not used, resume it with gangan organisations resume ID --abandon-move.'

/**
 * Suspends an organisation and holds its pending work. One that is exported may be sending: what is in flight is left, and
 * `countUnheld` counts it.
 */
export async function holdOrganisation(tx: Tx, organisation_id: string, held: Held): Promise<Suspended | undefined> {
  const done = await setSuspended(tx, organisation_id, true)
  if (!done) return undefined
  await setHeld(tx, organisation_id, held)
  await holdJobs(tx, done.ids, { spares_leased: held === 'exported' })
  await (held === 'exported' ? takeRows : holdRows)(tx, done.ids)
  return done
}

/** How much of its work is not held; jobs of the queues `without` do not count. */
export async function countUnheld(
  tx: Tx,
  organisation_ids: readonly string[],
  without: readonly string[],
): Promise<number> {
  return (await countUnheldJobs(tx, organisation_ids, without)) + (await countUnheldRows(tx, organisation_ids))
}
