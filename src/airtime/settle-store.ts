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
  refunded: boolean
  updated_datetime: string
}

/** Ends a purchase, where the move is allowed; undefined when it has ended already. */
export async function endPurchase(
  tx: Tx,
  organisation_id: string,
  id: string,
  { status, description }: { status: FinalStatus; description: string | null },
): Promise<Settled | undefined> {
  const [row] = await tx<Settled[]>`
    update purchases
    set status = ${status}, refunded = ${status} in ('failed', 'error', 'duplicate'), description = ${description},
      updated_datetime = now()
    where organisation_id = ${organisation_id} and id = ${id}
      and (status = 'pending' or (status = 'sent' and ${status} in ('success', 'failed')))
    returning organisation_id, id, recipient, network, amount, status, external_ref, callback, refunded,
      updated_datetime`
  return row
}

/** The vendor has it, or may have it. */
export async function markSent(tx: Tx, organisation_id: string, id: string): Promise<void> {
  await tx`
    update purchases set status = 'sent', updated_datetime = now()
    where organisation_id = ${organisation_id} and id = ${id} and status = 'pending'`
}

/** Hands a purchase to the operator. */
export async function markForReview(tx: Tx, organisation_id: string, id: string): Promise<void> {
  await tx`
    update purchases set status = 'sent', review_datetime = now(), updated_datetime = now()
    where organisation_id = ${organisation_id} and id = ${id} and status in ('pending', 'sent')
      and review_datetime is null`
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
  const [row] = await tx<{ organisation_id: string }[]>`
    select organisation_id from purchases
    where id = ${id} and review_datetime is not null and status = 'sent'
    for update`
  return row
}
