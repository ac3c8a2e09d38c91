import type { Network } from '../carriers/topup-carrier.ts'
import type { Db, Tx } from '../db/connect.ts'
import { rows } from '../db/rows.ts'
import type { Statement } from '../db/transaction.ts'
import type { Draft } from './draft.ts'
import type { PurchaseStatus } from './schema.ts'

export const AIRTIME_QUEUE = 'airtime'

export type PurchaseRow = {
  id: string
  network: Network
  recipient: string
  amount: bigint
  external_ref: string | null
  callback: string | null
  warnings: string[]
  status: PurchaseStatus
  refunded: boolean
  description: string | null
  balance_after: bigint
  created_datetime: string
  updated_datetime: string | null
}

/**
 * Stores the purchases of a burst with their jobs: those that were charged, in the same transaction. The charge is
 * found laterally, so that it is always a probe by key: without statistics the planner would read all lines of the
 * organisation.
 */
export function storePurchases(tx: Tx, organisation_id: string, drafts: readonly Draft[]): Statement[] {
  return [
    tx`
      with stored as (
        insert into purchases
          (organisation_id, id, sequence, network, recipient, amount, external_ref, callback, idempotency_key,
           warnings, vendors)
        select ${organisation_id}, id, sequence, network, recipient, -charge.amount, external_ref, callback,
          idempotency_key, array(select jsonb_array_elements_text(warnings)), string_to_array(vendors, ' ')
        from ${rows(tx, drafts, 'draft', {
          id: 'uuid',
          network: 'text',
          recipient: 'text',
          external_ref: 'text',
          callback: 'text',
          idempotency_key: 'text',
          warnings: 'jsonb',
          vendors: ['text', ({ vendors }) => vendors.join(' ')],
        })}
        cross join lateral (
          select sequence, amount from ledger_lines
          where organisation_id = ${organisation_id} and subject_id = draft.id and kind = 'airtime' and subject_key = ''
          limit 1
        ) charge
        returning id
      )
      insert into jobs (queue, lane, organisation_id, subject_id)
      select ${AIRTIME_QUEUE}, ${organisation_id}, ${organisation_id}, id from stored`,
  ]
}

export async function findPurchase(db: Db, organisation_id: string, id: string): Promise<PurchaseRow | undefined> {
  const [row] = await db<PurchaseRow[]>`
    select id, network, recipient, purchases.amount, external_ref, callback, warnings, status, refunded, description,
      balance_after, purchases.created_datetime, updated_datetime
    from purchases join ledger_lines using (organisation_id, sequence)
    where organisation_id = ${organisation_id} and id = ${id}`
  return row
}

/** Newest first. */
export async function listPurchases(
  db: Db,
  organisation_id: string,
  page: { external_ref?: string | undefined; before?: string | undefined; skip: number; limit: number },
): Promise<PurchaseRow[]> {
  return db<PurchaseRow[]>`
    select id, network, recipient, purchases.amount, external_ref, callback, warnings, status, refunded, description,
      balance_after, purchases.created_datetime, updated_datetime
    from purchases join ledger_lines using (organisation_id, sequence)
    where organisation_id = ${organisation_id}
      ${page.external_ref === undefined ? db`` : db`and external_ref = ${page.external_ref}`}
      ${page.before === undefined ? db`` : db`and id < ${page.before}`}
    order by id desc
    offset ${page.skip} limit ${page.limit}`
}

export async function countPurchases(
  db: Db,
  organisation_id: string,
  external_ref: string | undefined,
  at_most: number,
): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::integer as count from (
      select 1 from purchases
      where organisation_id = ${organisation_id}
        ${external_ref === undefined ? db`` : db`and external_ref = ${external_ref}`}
      limit ${at_most}
    ) counted`
  return row?.count ?? 0
}
