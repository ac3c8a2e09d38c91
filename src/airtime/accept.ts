import type { Sale, SaleGroup, StoreManySales, StoreSales } from '../billing/charge.ts'
import { theOne } from '../billing/store.ts'
import type { TopupCarrier } from '../carriers/topup-carrier.ts'
import type { Db } from '../db/connect.ts'
import { byLayout } from '../db/layout.ts'
import type { Job } from '../queue/store.ts'
import type { Wakeups } from '../queue/wakeups.ts'
import { LEASE_S } from '../queue/leases.ts'
import type { LaneOf } from '../queue/lane-capacity.ts'
import type { Draft } from './draft.ts'
import { acceptPurchases, acceptPurchasesOfMany, AIRTIME_QUEUE, type Accepted, type PurchaseGroup } from './store.ts'
import { newTry, type OpenPurchase } from './try-store.ts'

/** The worker of this process, which may start a purchase without claiming its job. */
export type PurchaseWorker = {
  /** Reserves capacity for a purchase, unless earlier ones of the organisation are queued. */
  reserve(place: LaneOf): boolean
  /** Starts a purchase whose job was stored as leased; undefined: releases the capacity. */
  startReserved(place: LaneOf, reserved: ReservedPurchase | undefined): void
}

export type ReservedPurchase = { job: Job; purchase: OpenPurchase }

export type AcceptDeps = {
  db: Db
  /** For writes of many organisations. */
  shared_db: Db
  wakeups: Wakeups
  vendors: ReadonlyMap<string, TopupCarrier>
  duplicate_minutes: number
  /** Undefined if this process only serves HTTP. */
  worker: () => PurchaseWorker | undefined
}

/** If the write took longer than this, half of the lease is over: the purchases are left to be claimed. */
const MAX_WRITE_MS = (LEASE_S * 1_000) / 2

/**
 * Charges and stores purchases: those of one organisation, or of several. Nearly every purchase is carried out by the process
 * that accepts it: it is stored with a leased job and its first try, and started after the commit, without a claim or another
 * read. If the process crashes in between, the lease expires, and the process that claims the job finds a try that is
 * `calling`: it queries the vendor, and buys nothing before it knows the outcome.
 */
export function makeAcceptPurchases(deps: AcceptDeps): {
  storeSales: StoreSales<Draft>
  storeMany: StoreManySales<Draft> | undefined
} {
  const { db, shared_db, duplicate_minutes } = deps
  const storeMany: StoreManySales<Draft> = (groups) =>
    storeAndStart(deps, groups, (given) => acceptPurchasesOfMany(shared_db, given, duplicate_minutes))
  return {
    async storeSales(organisation_id, sales) {
      const [accepted] = await storeAndStart(deps, [{ organisation_id, sales }], async ([group]) =>
        group ? [await acceptPurchases(db, organisation_id, group.sales, duplicate_minutes)] : [],
      )
      return theOne(accepted)
    },
    storeMany: byLayout(db, { single_server: storeMany, cluster: undefined }),
  }
}

async function storeAndStart(
  deps: AcceptDeps,
  groups: readonly SaleGroup<Draft>[],
  write: (groups: readonly PurchaseGroup[]) => Promise<readonly (Accepted | undefined)[]>,
): Promise<readonly (Accepted | undefined)[]> {
  const worker = deps.worker()
  const prepared = groups.map(({ organisation_id, sales }) => ({
    organisation_id,
    sales: sales.map((sale) => ({
      ...sale,
      reserved: worker?.reserve(laneOf(organisation_id)) === true,
      reference: referenceOf(deps, sale),
    })),
  }))
  const began = performance.now()
  let results: readonly (Accepted | undefined)[] = []
  let in_time = false
  try {
    results = await write(prepared)
    in_time = performance.now() - began < MAX_WRITE_MS
    return results
  } finally {
    for (const [n, { organisation_id, sales }] of prepared.entries()) {
      const accepted = results[n]
      const started = accepted && in_time ? sales.flatMap((one) => reservedOf(organisation_id, one, accepted)) : []
      if (accepted && started.length < sales.length) deps.wakeups.wake(AIRTIME_QUEUE)
      const places = sales.filter(({ reserved }) => reserved).length
      for (let place = 0; place < places; place += 1) worker?.startReserved(laneOf(organisation_id), started[place])
    }
  }
}

const laneOf = (organisation_id: string): LaneOf => ({ organisation_id, lane: organisation_id })

/** The reference of a purchase at its first vendor; undefined if the try is stored only right before the call. */
function referenceOf({ vendors }: AcceptDeps, { item }: Sale<Draft>): string | undefined {
  const vendor = vendors.get(item.vendors[0] ?? '')
  if (!vendor || vendor.asked_by_own_id) return undefined
  return vendor.referenceOf({ purchase_id: item.id, created_datetime: new Date().toISOString() })
}

/** A stored purchase with its leased job, as if it had been claimed and read. */
function reservedOf(
  organisation_id: string,
  { item, reference }: { item: Draft; reference: string | undefined },
  { reserved_ids, job_ids, moment }: Accepted,
): ReservedPurchase[] {
  const job_id = job_ids?.[reserved_ids?.indexOf(item.id) ?? -1]
  if (job_id === undefined) return []
  const { id, network, recipient, amount, currency } = item
  const job = { id: BigInt(job_id), lane: organisation_id, attempts: 1, interrupted: false, organisation_id }
  const tried = reference === undefined ? null : newTry(0, item.vendors[0] ?? '', reference)
  const open = { status: 'pending' as const, vendors: [...item.vendors], read_datetime: moment, has_twin: false, tried }
  return [
    {
      job: { ...job, subject_id: id, subject_key: '' },
      purchase: { organisation_id, id, network, recipient, amount, currency, ...open },
    },
  ]
}
