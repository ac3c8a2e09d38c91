import type { Sale, StoreSales } from '../billing/charge.ts'
import type { TopupCarrier } from '../carriers/topup-carrier.ts'
import type { Db } from '../db/connect.ts'
import type { Job } from '../queue/store.ts'
import type { Wakeups } from '../queue/wakeups.ts'
import { LEASE_S } from '../queue/leases.ts'
import type { LaneOf } from '../queue/lane-capacity.ts'
import type { Draft } from './draft.ts'
import { acceptPurchases, AIRTIME_QUEUE, type Accepted } from './store.ts'
import type { OpenPurchase } from './try-store.ts'

/** Who carries purchases out in this process, and may be given one without a claim. */
export type PurchaseHands = {
  /** Keeps a place for a purchase, if there is one and none of the organisation waits that came before. */
  reserve(place: LaneOf): boolean
  /** What the place was kept for, stored as in hand; without it the place is given up. */
  take(place: LaneOf, held: HeldPurchase | undefined): void
}

export type HeldPurchase = { job: Job; purchase: OpenPurchase }

export type AcceptDeps = {
  db: Db
  wakeups: Wakeups
  vendors: ReadonlyMap<string, TopupCarrier>
  duplicate_minutes: number
  /** Undefined where this process only serves HTTP. */
  hands: () => PurchaseHands | undefined
}

/** A write that took this long has used up half of its lease: what it holds is left to whoever finds it. */
const TOO_LATE_MS = (LEASE_S * 1_000) / 2

/**
 * Charges and stores purchases. Nearly every one is carried out by the process that accepts it, a moment later: such a one
 * is stored as in hand, with its first try opened, and taken over after the commit. It is not claimed, nothing is read
 * again, and the vendor is still called after the try was committed. Should the process die in between, the lease ends and
 * whoever claims the purchase finds a try that is `calling`: it asks the vendor, and buys nothing before it knows.
 */
export function makeAcceptPurchases(deps: AcceptDeps): StoreSales<Draft> {
  return async (organisation_id, sales) => {
    const place = { organisation_id, lane: organisation_id }
    const hands = deps.hands()
    const tries = sales.map((sale) => ({
      ...sale,
      held: hands?.reserve(place) === true,
      reference: referenceOf(deps, sale),
    }))
    const places = tries.filter(({ held }) => held).length
    const began = performance.now()
    let taken: HeldPurchase[] = []
    try {
      const accepted = await acceptPurchases(deps.db, organisation_id, tries, deps.duplicate_minutes)
      const in_time = performance.now() - began < TOO_LATE_MS
      taken = in_time ? tries.flatMap((one) => heldOf(organisation_id, one, accepted)) : []
      if (taken.length < sales.length) deps.wakeups.wake(AIRTIME_QUEUE)
      return accepted
    } finally {
      for (let n = 0; n < places; n += 1) hands?.take(place, taken[n])
    }
  }
}

/** What its first vendor will know a purchase by; undefined where the try is written down at the last moment only. */
function referenceOf({ vendors }: AcceptDeps, { item }: Sale<Draft>): string | undefined {
  const vendor = vendors.get(item.vendors[0] ?? '')
  if (!vendor || vendor.asked_by_own_id) return undefined
  return vendor.referenceOf({ purchase_id: item.id, created_datetime: new Date().toISOString() })
}

/** A purchase in our hands as if it had been claimed and read. */
function heldOf(
  organisation_id: string,
  { item, reference }: { item: Draft; reference: string | undefined },
  { held_ids, job_ids, moment }: Accepted,
): HeldPurchase[] {
  const id = job_ids?.[held_ids?.indexOf(item.id) ?? -1]
  if (id === undefined) return []
  const job = { id: BigInt(id), lane: organisation_id, attempts: 1, interrupted: false, organisation_id }
  const { network, recipient, amount, currency } = item
  const vendors = [...item.vendors]
  const tried = reference === undefined ? null : firstTry(vendors[0] ?? '', reference)
  const open = { status: 'pending' as const, vendors, read_datetime: moment, has_twin: false, tried }
  return [
    {
      job: { ...job, subject_id: item.id, subject_key: '' },
      purchase: { organisation_id, id: item.id, network, recipient, amount, currency, ...open },
    },
  ]
}

/** A try as it is written down before its vendor is called. */
function firstTry(vendor: string, reference: string): NonNullable<OpenPurchase['tried']> {
  const fresh = {
    status: 'calling' as const,
    calls: 1,
    requeries: 0,
    vendor_purchase_id: null,
    age_s: 0,
    call_age_s: 0,
  }
  return { position: 0, vendor, reference, ...fresh }
}
