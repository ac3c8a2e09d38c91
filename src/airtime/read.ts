import type { Db } from '../db/connect.ts'
import { isId } from '../values/id.ts'
import { moneyToNumber } from '../values/money.ts'
import { readPage, type PageQuery, type Pagination } from '../values/page.ts'
import { present } from '../values/record.ts'
import { Refusal } from '../values/refusal.ts'
import type { ListedPurchase } from './schema.ts'
import { findPurchase, listPurchases, type PurchaseRow } from './store.ts'

export async function readPurchase(deps: { db: Db }, organisation_id: string, id: string): Promise<ListedPurchase> {
  const row = isId(id) ? await findPurchase(deps.db, organisation_id, id) : undefined
  if (!row) throw new Refusal('not_found', 'There is no such purchase.')
  return shown(row)
}

export async function findPurchases(
  deps: { db: Db },
  organisation_id: string,
  query: PageQuery & { external_ref?: string },
): Promise<{ purchases: ListedPurchase[]; pagination: Pagination }> {
  const { rows, pagination } = await listPurchases(deps.db, organisation_id, query.external_ref, readPage(query))
  return { purchases: rows.map(shown), pagination }
}

function shown(row: PurchaseRow): ListedPurchase {
  const charged = row.amount + (row.commission ?? 0n)
  return {
    id: row.id,
    recipient: row.recipient,
    ...present('external_ref', row.external_ref),
    ...present('callback', row.callback),
    status: row.status,
    created_datetime: row.created_datetime,
    ...present('updated_datetime', row.updated_datetime),
    network: row.network,
    ...present('description', row.description),
    meta: {
      charge: {
        amount: moneyToNumber(charged),
        ...present('commission', row.commission === null ? null : moneyToNumber(row.commission)),
        available_balance: moneyToNumber(row.balance_after),
        balance_before: moneyToNumber(row.balance_after + charged),
        refunded: row.refunded,
      },
      ...present('warnings', row.warnings.length > 0 ? row.warnings : null),
    },
  }
}
