import type { Db, Tx } from '../../db/connect.ts'
import { listPage, type Listed } from '../../db/list-page.ts'
import { prepare } from '../../db/sql.ts'
import type { Page } from '../../values/page.ts'

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

/** Sorts after every prefix of the ascending list. */
const BEHIND_ALL = '999999999999999'

/** An expired block is not listed; a slowed prefix stays slowed until its next request. */
export async function listGuard(
  db: Db,
  organisation_id: string,
  page: Page,
): Promise<Listed<GuardRow & { id: string }>> {
  return listPage<GuardRow & { id: string }>(db, page, {
    select: db`prefix as id, ${columns(db)}`,
    from: db`otp_guard`,
    where: db`organisation_id = ${organisation_id} and (state = 'slowed' or until_datetime > now())`,
    key: db`prefix`,
    ascending: { behind_all: BEHIND_ALL },
  })
}

/** The guarded prefixes of all organisations, for the operator. */
export async function listWholeGuard(db: Db, limit: number): Promise<GuardRow[]> {
  return db<GuardRow[]>`
    select ${columns(db)} from otp_guard
    where state = 'slowed' or until_datetime > now()
    order by organisation_id, prefix limit ${limit}`
}

function columns(db: Db) {
  return prepare(db`organisation_id, prefix, state, sent, verified, until_datetime, created_datetime, updated_datetime`)
}

/** Removes the guard of a prefix and its counters; false if it was not guarded. */
export async function deleteGuard(tx: Tx, organisation_id: string, prefix: string): Promise<boolean> {
  await tx`
    delete from otp_counters where organisation_id = ${organisation_id} and kind = 'prefix' and key = ${prefix}`
  const gone = await tx`delete from otp_guard where organisation_id = ${organisation_id} and prefix = ${prefix}`
  return gone.count === 1
}
