import type { Db } from '../db/connect.ts'
import { transaction } from '../db/transaction.ts'
import { COUNT_LIMIT, paginate, readPage, type PageQuery, type Pagination } from '../values/page.ts'
import { present } from '../values/present.ts'
import type { GuardedPrefix } from './schema.ts'
import { countGuard, deleteGuard, listGuard, listWholeGuard, type GuardRow } from './guard-store.ts'

const LISTED = 1_000

/** The prefixes an organisation's OTPs are slowed or blocked for. */
export async function findGuarded(
  deps: { db: Db },
  organisation_id: string,
  query: PageQuery,
): Promise<{ prefixes: GuardedPrefix[]; pagination: Pagination }> {
  const page = readPage(query, isPrefix)
  const [found, count_total] = await Promise.all([
    listGuard(deps.db, organisation_id, { after: page.before ?? '', skip: page.skip, limit: page.limit + 1 }),
    countGuard(deps.db, organisation_id, COUNT_LIMIT),
  ])
  const keyed = found.map((row) => ({ ...row, id: row.prefix }))
  const { rows, pagination } = paginate(page, keyed, count_total, BEHIND_ALL)
  return { prefixes: rows.map(shown), pagination }
}

/** All organisations' guarded prefixes, for the operator. */
export async function findAllGuarded(deps: { db: Db }): Promise<GuardRow[]> {
  return listWholeGuard(deps.db, LISTED)
}

/** Lets OTPs pass to a prefix again, as if nothing had been sent there; false when it was not guarded. */
export async function liftGuard(deps: { db: Db }, organisation_id: string, prefix: string): Promise<boolean> {
  if (!isPrefix(prefix)) return false
  return transaction(deps.db, (tx) => deleteGuard(tx, organisation_id, prefix))
}

/** Prefixes are listed in ascending order, so this one comes behind all others. */
const BEHIND_ALL = '999999999999999'

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
