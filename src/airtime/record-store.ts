import type { PurchaseOutcome, RequeryOutcome } from '../carriers/topup-carrier.ts'
import { idArray } from '../db/array.ts'
import type { Tx } from '../db/connect.ts'
import type { Job } from '../queue/store.ts'
import type { Verdict } from './judge.ts'
import { SENTENCES } from './settle.ts'
import type { Settled } from './settle-store.ts'
import type { OpenPurchase, Try } from './try-store.ts'

/** What a vendor said about a purchase, and what follows from it. */
export type Ruling = {
  job: Job
  purchase: OpenPurchase
  tried: Try
  outcome: PurchaseOutcome | RequeryOutcome
  asked: boolean
  verdict: Verdict
}

/**
 * Writes down what vendors said and what follows from it, and gives the purchases that have ended by it. A worker that
 * was too slow has lost its purchase to another, who will finish or postpone the job: of its ruling nothing is written.
 */
export async function writeRulings(tx: Tx, organisation_id: string, given: readonly Ruling[]): Promise<Settled[]> {
  // In one order, so that two workers with the same purchases do not wait for each other.
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
      ${ends.map((status) => status && SENTENCES[status])}::text[],
      ${rulings.map(({ verdict }) => delayOf(verdict))}::integer[]
    )`
}

/** After how many milliseconds it goes on; null when it is over, or the operator's. */
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
