import type { Tx } from '../db/connect.ts'

/** Why pending work waits: the organisation was exported to be moved, or restored from an export. */
export type Held = 'exported' | 'restored'

type LockedOrganisation = {
  id: string
  suspended_datetime: string | null
  held: Held | null
  requests_per_s: number | null
  messages_per_s: number | null
}

export async function lockWithTwin(tx: Tx, organisation_id: string): Promise<LockedOrganisation[]> {
  return tx<LockedOrganisation[]>`
    select id, suspended_datetime, held, requests_per_s, messages_per_s from organisations
    where (id = ${organisation_id} and mode = 'live') or twin_of = ${organisation_id}
    order by id for update`
}

/** Sets the limits of both. */
export async function setLimits(
  tx: Tx,
  organisation_id: string,
  { requests_per_s, messages_per_s }: { requests_per_s: number | null; messages_per_s: number | null },
): Promise<void> {
  await tx`
    update organisations set requests_per_s = ${requests_per_s}, messages_per_s = ${messages_per_s}
    where id = ${organisation_id} or twin_of = ${organisation_id}`
}

export async function suspendBoth(tx: Tx, organisation_id: string): Promise<void> {
  await tx`
    update organisations set suspended_datetime = now()
    where (id = ${organisation_id} or twin_of = ${organisation_id}) and suspended_datetime is null`
}

export async function resumeBoth(tx: Tx, organisation_id: string): Promise<void> {
  await tx`
    update organisations set suspended_datetime = null, held = null
    where id = ${organisation_id} or twin_of = ${organisation_id}`
}

/** Of both; they must be suspended. */
export async function setHeld(tx: Tx, organisation_id: string, held: Held): Promise<void> {
  await tx`
    update organisations set held = ${held} where id = ${organisation_id} or twin_of = ${organisation_id}`
}
