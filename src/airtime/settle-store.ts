import type { Network, PurchaseOutcome, RequeryOutcome } from '../carriers/topup-carrier.ts'
import { idArray } from '../db/array.ts'
import type { Db, Tx } from '../db/connect.ts'
import type { Job } from '../queue/store.ts'
import type { Verdict } from './judge.ts'
import type { FinalStatus } from './schema.ts'
import type { OpenPurchase, Try } from './try-store.ts'

/** The customer's description of an end; the vendor's own description is for the operator. */
export const END_DESCRIPTIONS: Record<FinalStatus, string | null> = {
  success: null,
  failed: 'The network or the vendor refused it; nothing was bought.',
  duplicate: 'It repeats another purchase; nothing was bought.',
  error: 'It could not be bought for a reason on our side.',
}

export type Settled = {
  organisation_id: string
  id: string
  recipient: string
  network: Network
  amount: bigint
  status: FinalStatus
  external_ref: string | null
  callback: string | null
  /** The organisation has webhooks, which may subscribe to the event. */
  has_webhooks: boolean
  refunded: boolean
  updated_datetime: string
}

export type End = { id: string; status: FinalStatus; description: string | null }

/** Ends purchases and refunds what is due; returns those that had not ended before. */
export async function endPurchases(tx: Tx, organisation_id: string, ends: readonly End[]): Promise<Settled[]> {
  return tx<Settled[]>`
    select * from end_purchases(
      ${organisation_id},
      ${ends.map(({ id }) => id)}::uuid[],
      ${ends.map(({ status }) => status)}::text[],
      ${ends.map(({ description }) => description)}::text[]
    )`
}

/** A vendor's answer about a purchase, and what follows from it. */
export type Ruling = {
  job: Job
  purchase: OpenPurchase
  tried: Try
  outcome: PurchaseOutcome | RequeryOutcome
  asked: boolean
  verdict: Verdict
}

/**
 * Stores vendors' answers and what follows from them, and returns the purchases that have ended by it. If a worker lost
 * its lease, another one has advanced the purchase: its ruling is not stored.
 */
export async function storeRulings(tx: Tx, organisation_id: string, given: readonly Ruling[]): Promise<Settled[]> {
  // In one order, so that two workers with the same purchases cannot deadlock.
  const rulings = given.toSorted((a, b) => (a.purchase.id < b.purchase.id ? -1 : 1))
  const ends = rulings.map(({ verdict }) => (verdict.kind === 'settle' ? verdict.status : null))
  return tx<Settled[]>`
    select * from record_rulings(
      ${organisation_id},
      ${idArray(rulings.map(({ purchase }) => purchase.id))}::uuid[],
      ${idArray(rulings.map(({ tried }) => tried.position))}::smallint[],
      ${idArray(rulings.map(({ tried }) => tried.calls))}::smallint[],
      ${idArray(rulings.map(({ verdict }) => verdict.as))}::text[],
      ${idArray(rulings.map(({ asked }) => (asked ? 1 : 0)))}::smallint[],
      ${rulings.map(({ outcome }) => outcome.code)}::text[],
      ${rulings.map(({ outcome }) => outcome.description)}::text[],
      ${rulings.map(({ outcome }) => outcome.vendor_purchase_id)}::text[],
      ${rulings.map(({ outcome }) => outcome.cost)}::bigint[],
      ${rulings.map(({ outcome }) => outcome.vendor_balance)}::bigint[],
      ${idArray(rulings.map(({ job }) => job.id))}::bigint[],
      ${idArray(rulings.map(({ verdict }) => verdict.kind))}::text[],
      ${ends}::text[],
      ${ends.map((status) => status && END_DESCRIPTIONS[status])}::text[],
      ${rulings.map(({ verdict }) => delayOf(verdict))}::integer[]
    )`
}

/** Milliseconds until the next step; null if the purchase has ended or is in review. */
function delayOf(verdict: Verdict): number | null {
  switch (verdict.kind) {
    case 'next_vendor':
      return 0
    case 'call_again':
    case 'ask_later':
      return Math.round(verdict.delay_s * 1_000)
    case 'settle':
    case 'review':
      return null
  }
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

/** Purchases in review, of all organisations, oldest first. */
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

/** Locks a purchase in review and returns its organisation; undefined if it is not in review. */
export async function lockReview(tx: Tx, id: string): Promise<{ organisation_id: string } | undefined> {
  // On a cluster a row is locked on its organisation's shard, so that must be known first.
  const [found] = await tx<{ organisation_id: string }[]>`select organisation_id from purchases where id = ${id}`
  if (!found) return undefined
  const [row] = await tx<{ organisation_id: string }[]>`
    select organisation_id from purchases
    where organisation_id = ${found.organisation_id} and id = ${id} and review_datetime is not null and status = 'sent'
    for update`
  return row
}
