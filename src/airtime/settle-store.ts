import type { Network } from '../carriers/topup-carrier.ts'
import type { Db, Tx } from '../db/connect.ts'
import type { FinalStatus } from './schema.ts'

export type Settled = {
  organisation_id: string
  id: string
  recipient: string
  network: Network
  amount: bigint
  status: FinalStatus
  external_ref: string | null
  callback: string | null
  /** The organisation has endpoints registered, which may want to hear of it. */
  has_webhooks: boolean
  refunded: boolean
  updated_datetime: string
}

export type End = { id: string; status: FinalStatus; description: string | null }

/** Ends purchases, where the move is allowed, gives back what is due, and returns those that had not ended already. */
export async function endPurchases(tx: Tx, organisation_id: string, ends: readonly End[]): Promise<Settled[]> {
  return tx<Settled[]>`
    select * from end_purchases(
      ${organisation_id},
      ${ends.map(({ id }) => id)}::uuid[],
      ${ends.map(({ status }) => status)}::text[],
      ${ends.map(({ description }) => description)}::text[]
    )`
}

export type ReviewRow = {
  organisation_id: string
  id: string
  network: Network
  recipient: string
  amount: bigint
  external_ref: string | null
  vendor: string
  reference: string
  vendor_purchase_id: string | null
  code: string | null
  vendor_description: string | null
  created_datetime: string
  review_datetime: string
}

/** What waits for the operator, of all organisations, oldest first. */
export async function listReview(db: Db, limit: number): Promise<ReviewRow[]> {
  return db<ReviewRow[]>`
    select organisation_id, purchases.id, network, recipient, amount, external_ref, vendor, reference,
      vendor_purchase_id, code, newest.description as vendor_description, purchases.created_datetime, review_datetime
    from purchases
    cross join lateral (
      select vendor, reference, vendor_purchase_id, code, description
      from purchase_tries
      where organisation_id = purchases.organisation_id and purchase_id = purchases.id
      order by position desc limit 1
    ) newest
    where review_datetime is not null and purchases.status = 'sent'
    order by purchases.id
    limit ${limit}`
}

/** The organisation of a purchase that waits for the operator, locked; undefined when it does not wait. */
export async function lockReview(tx: Tx, id: string): Promise<{ organisation_id: string } | undefined> {
  // On a cluster a row is locked where its organisation lies, so that must be known first.
  const [found] = await tx<{ organisation_id: string }[]>`select organisation_id from purchases where id = ${id}`
  if (!found) return undefined
  const [row] = await tx<{ organisation_id: string }[]>`
    select organisation_id from purchases
    where organisation_id = ${found.organisation_id} and id = ${id} and review_datetime is not null and status = 'sent'
    for update`
  return row
}
