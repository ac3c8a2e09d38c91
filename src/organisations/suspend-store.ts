import type { Tx } from '../db/connect.ts'

type LockedOrganisation = {
  id: string
  suspended_datetime: string | null
  requests_per_s: number | null
  messages_per_s: number | null
}

export async function lockWithTwin(tx: Tx, organisation_id: string): Promise<LockedOrganisation[]> {
  return tx<LockedOrganisation[]>`
    select id, suspended_datetime, requests_per_s, messages_per_s from organisations
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
    update organisations set suspended_datetime = null
    where id = ${organisation_id} or twin_of = ${organisation_id}`
}
