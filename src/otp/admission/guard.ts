import type { Db } from '../../db/connect.ts'
import { transaction } from '../../db/transaction.ts'
import { readPage, type PageQuery, type Pagination } from '../../values/page.ts'
import { present } from '../../values/record.ts'
import type { GuardedPrefix } from '../schema.ts'
import { deleteGuard, listGuard, listWholeGuard, type GuardRow } from './guard-store.ts'

const LISTED = 1_000

/** The prefixes to which an organisation's OTPs are slowed or blocked. */
export async function findGuarded(
  deps: { db: Db },
  organisation_id: string,
  query: PageQuery,
): Promise<{ prefixes: GuardedPrefix[]; pagination: Pagination }> {
  const { rows, pagination } = await listGuard(deps.db, organisation_id, readPage(query, isPrefix))
  return { prefixes: rows.map(shown), pagination }
}

/** The guarded prefixes of all organisations, for the operator. */
export async function findAllGuarded(deps: { db: Db }): Promise<GuardRow[]> {
  return listWholeGuard(deps.db, LISTED)
}

/** Lifts the guard of a prefix and resets its counters; false if it was not guarded. */
export async function liftGuard(deps: { db: Db }, organisation_id: string, prefix: string): Promise<boolean> {
  if (!isPrefix(prefix)) return false
  return transaction(deps.db, (tx) => deleteGuard(tx, organisation_id, prefix))
}

function isPrefix(text: string): boolean {
  return /^\d{1,15}$/.test(text)
}

function shown(row: GuardRow): GuardedPrefix {
  const { prefix, state, sent, verified, until_datetime, created_datetime } = row
  return {
    prefix,
    state,
    sent,
    verified,
    until_datetime,
    created_datetime,
    ...present('updated_datetime', row.updated_datetime),
  }
}
