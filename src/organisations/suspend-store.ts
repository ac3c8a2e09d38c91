import type { Tx } from '../db/connect.ts'

export async function lockWithTwin(
  tx: Tx,
  organisation_id: string,
): Promise<{ id: string; suspended_datetime: string | null }[]> {
  return tx<{ id: string; suspended_datetime: string | null }[]>`
    select id, suspended_datetime from organisations
    where (id = ${organisation_id} and mode = 'live') or twin_of = ${organisation_id}
    order by id for update`
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
