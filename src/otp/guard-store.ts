import type { Db, Tx } from '../db/connect.ts'

export type GuardRow = {
  organisation_id: string
  prefix: string
  state: 'slowed' | 'blocked'
  sent: number
  verified: number
  until_datetime: string
  created_datetime: string
  updated_datetime: string | null
}

/** A block that is over is no state any more; a slowed prefix stays so until its next request shows otherwise. */
export async function listGuard(
  db: Db,
  organisation_id: string,
  page: { after: string; skip: number; limit: number },
): Promise<GuardRow[]> {
  return db<GuardRow[]>`
    select organisation_id, prefix, state, sent, verified, until_datetime, created_datetime, updated_datetime
    from otp_guard
    where organisation_id = ${organisation_id} and prefix > ${page.after}
      and (state = 'slowed' or until_datetime > now())
    order by prefix offset ${page.skip} limit ${page.limit}`
}

export async function countGuard(db: Db, organisation_id: string, at_most: number): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::integer as count from (
      select 1 from otp_guard
      where organisation_id = ${organisation_id} and (state = 'slowed' or until_datetime > now())
      limit ${at_most}
    ) counted`
  return row?.count ?? 0
}

/** All organisations', for the operator. */
export async function listWholeGuard(db: Db, limit: number): Promise<GuardRow[]> {
  return db<GuardRow[]>`
    select organisation_id, prefix, state, sent, verified, until_datetime, created_datetime, updated_datetime
    from otp_guard where state = 'slowed' or until_datetime > now()
    order by organisation_id, prefix limit ${limit}`
}

/** Lifts the guard off a prefix and forgets what it was judged by; false when it was not guarded. */
export async function deleteGuard(tx: Tx, organisation_id: string, prefix: string): Promise<boolean> {
  await tx`
    delete from otp_counters where organisation_id = ${organisation_id} and kind = 'prefix' and key = ${prefix}`
  const gone = await tx`delete from otp_guard where organisation_id = ${organisation_id} and prefix = ${prefix}`
  return gone.count === 1
}
