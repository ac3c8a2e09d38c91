import type { Db } from '../db/connect.ts'
import { moneyToNumber } from '../values/money.ts'
import { readPage, type PageQuery, type Pagination } from '../values/page.ts'
import { present } from '../values/record.ts'
import { CONFIRM_ABOVE, type ListedOrganisation, type ShownOrganisation } from './schema.ts'
import { findWithTwin, listWithTwins, type ConsoleSettings, type OwnedOrganisation } from './store.ts'
import { timeZoneOf } from './time-zone.ts'

/** What modules of higher layers know of organisations. */
type OfOrganisations = {
  countAccepted?: (ids: readonly string[]) => Promise<ReadonlyMap<string, number>>
  findPriceLists?: (ids: readonly string[]) => Promise<ReadonlyMap<string, string>>
}

/** All organisations with their recent volume, for an operator; newest first. */
export async function findOrganisations(
  deps: { db: Db },
  query: PageQuery & { search?: string },
  { countAccepted, findPriceLists }: OfOrganisations = {},
): Promise<{ organisations: ListedOrganisation[]; pagination: Pagination }> {
  const search = query.search?.replaceAll('\0', '').trim() || undefined
  const { rows, pagination } = await listWithTwins(deps.db, search, readPage(query))
  const ids = rows.map(({ id }) => id)
  const [accepted, price_lists] = await Promise.all([countAccepted?.(ids), findPriceLists?.(ids)])
  const organisations = rows.map((row) => {
    return {
      ...shownOrganisation(row),
      ...(accepted ? { accepted_day: accepted.get(row.id) ?? 0 } : {}),
      ...present('price_list', price_lists?.get(row.id)),
    }
  })
  return { organisations, pagination }
}

export async function readOrganisation(deps: { db: Db }, id: string): Promise<ShownOrganisation | undefined> {
  const row = await findWithTwin(deps.db, id)
  return row && shownOrganisation(row)
}

/** An organisation that is known to exist. */
export async function requireOrganisation(deps: { db: Db }, id: string): Promise<ShownOrganisation> {
  const found = await readOrganisation(deps, id)
  if (!found) throw new Error(`organisation ${id} does not exist`)
  return found
}

function shownOrganisation(row: OwnedOrganisation): ShownOrganisation {
  return {
    id: row.id,
    name: row.name,
    test_id: row.test_id,
    currency: row.currency,
    ...shownSettings(row),
    test_settings: shownSettings(row.test_settings),
    balance: moneyToNumber(row.balance),
    test_balance: moneyToNumber(row.test_balance),
    ...present('suspended_datetime', row.suspended_datetime),
    ...present('requests_per_s', row.requests_per_s),
    ...present('messages_per_s', row.messages_per_s),
    ...present('credit_limit', row.credit_limit === 0n ? null : moneyToNumber(row.credit_limit)),
    created_datetime: row.created_datetime,
  }
}

function shownSettings(row: ConsoleSettings) {
  return {
    default_country: row.default_country,
    ...present('default_sender_id', row.default_sender_id),
    time_zone: timeZoneOf(row),
    ...present('low_balance', row.low_balance === null ? null : moneyToNumber(row.low_balance)),
    confirm_above: row.confirm_above ?? CONFIRM_ABOVE,
  }
}
