import type { Network } from '../carriers/topup-carrier.ts'
import type { Db, Tx } from '../db/connect.ts'
import { listPage, type Listed } from '../db/list-page.ts'
import { rows } from '../db/rows.ts'
import { prepare } from '../db/sql.ts'
import type { Statement } from '../db/transaction.ts'
import type { Page } from '../values/page.ts'
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
    select ${columns(db)} from purchases ${withCharge(db)} where organisation_id = ${organisation_id} and id = ${id}`
  return row
}

/** Newest first. */
export async function listPurchases(
  db: Db,
  organisation_id: string,
  external_ref: string | undefined,
  page: Page,
): Promise<Listed<PurchaseRow>> {
  return listPage<PurchaseRow>(db, page, {
    select: columns(db),
    from: db`purchases`,
    join: withCharge(db),
    where: db`
      organisation_id = ${organisation_id}
      ${external_ref === undefined ? db`` : db`and external_ref = ${external_ref}`}`,
  })
}

function columns(db: Db) {
  return prepare(db`id, network, recipient, purchases.amount, external_ref, callback, warnings, status, refunded,
    description, balance_after, purchases.created_datetime, updated_datetime`)
}

function withCharge(db: Db) {
  return prepare(db`join ledger_lines using (organisation_id, sequence)`)
}
