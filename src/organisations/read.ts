import type { Db } from '../db/connect.ts'
import { moneyToNumber } from '../values/money.ts'
import { readPage, type PageQuery, type Pagination } from '../values/page.ts'
import { present } from '../values/present.ts'
import type { ShownOrganisation } from './schema.ts'
import { findWithTwin, listWithTwins, type OwnedOrganisation } from './store.ts'

/** All organisations, for an operator; newest first. */
export async function findOrganisations(
  deps: { db: Db },
  query: PageQuery & { search?: string },
): Promise<{ organisations: ShownOrganisation[]; pagination: Pagination }> {
  const search = query.search?.replaceAll('\0', '').trim() || undefined
  const { rows, pagination } = await listWithTwins(deps.db, search, readPage(query))
  return { organisations: rows.map(shownOrganisation), pagination }
}

export async function readOrganisation(deps: { db: Db }, id: string): Promise<ShownOrganisation | undefined> {
  const row = await findWithTwin(deps.db, id)
  return row && shownOrganisation(row)
}

/** One that was just made, or found before. */
export async function requireOrganisation(deps: { db: Db }, id: string): Promise<ShownOrganisation> {
  const found = await readOrganisation(deps, id)
  if (!found) throw new Error(`organisation ${id} vanished`)
  return found
}

function shownOrganisation(row: OwnedOrganisation): ShownOrganisation {
  return {
    id: row.id,
    name: row.name,
    test_id: row.test_id,
    default_country: row.default_country,
    ...present('default_sender_id', row.default_sender_id),
    currency: row.currency,
    balance: moneyToNumber(row.balance),
    test_balance: moneyToNumber(row.test_balance),
    created_datetime: row.created_datetime,
  }
}
