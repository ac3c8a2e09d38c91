import { makeAcceptPurchases, type PurchaseWorker } from '../airtime/accept.ts'
import type { Vendors } from '../airtime/vendors.ts'
import { makeChargeSale, type Sale } from '../billing/charge.ts'
import { makeNoteRefusedCharges } from '../billing/credit.ts'
import { chargeOnly } from '../billing/store.ts'
import type { CallbackSender } from '../callbacks/deliver/reserved.ts'
import { CALLBACK_QUEUE, enqueueCallbacks } from '../callbacks/enqueue.ts'
import type { Config } from '../config/config.ts'
import type { Db } from '../db/connect.ts'
import { makeAcceptMessages } from '../messaging/accept/accept.ts'
import { makeChargeMessages } from '../messaging/accept/charge-messages.ts'
import type { Submitter } from '../messaging/dispatch/submitter.ts'
import type { IntakeDepth } from '../messaging/intake/depth.ts'
import { countSales } from '../messaging/counters.ts'
import type { Meters } from '../observe/meters.ts'
import type { Tracer } from '../observe/trace/tracer.ts'
import { notifySpendingLimit } from '../organisations/spending-limit.ts'
import { makeAcceptFallbacks, makeAcceptOtps } from '../otp/accept.ts'
import type { Wakeups } from '../queue/wakeups.ts'
import type { Log } from '../values/log.ts'

/** Workers of this process that may receive new work directly. Empty until they start, and in a process without workers. */
export type LocalWorkers = {
  submitters: Map<string, readonly Submitter[]>
  callbacks?: CallbackSender
  purchases?: PurchaseWorker
}

type ChargingDeps = {
  config: Config
  log: Log
  db: Db
  charge_db: Db
  shared_db: Db
  wakeups: Wakeups
  meters: Meters
  tracer: Tracer | undefined
  depth: IntakeDepth
  vendors: Vendors
  local: LocalWorkers
}

/** The functions that charge an organisation and store what it bought, in one transaction each. */
export function makeCharging({
  config,
  log,
  db,
  charge_db,
  shared_db,
  wakeups,
  meters,
  tracer,
  depth,
  vendors,
  local,
}: ChargingDeps) {
  const accept = {
    db: charge_db,
    shared_db,
    wakeups,
    depth,
    submittersOf: (route: string) => local.submitters.get(route) ?? NO_SUBMITTERS,
  }
  const accept_purchases = makeAcceptPurchases({
    db: charge_db,
    shared_db,
    wakeups,
    vendors: vendors.by_name,
    duplicate_minutes: config.settings.airtime.duplicate_minutes,
    worker: () => local.purchases,
  })
  const limit_events = { db, enqueue: enqueueCallbacks, wake: () => wakeups.wake(CALLBACK_QUEUE) }
  const noting = makeNoteRefusedCharges({
    db: charge_db,
    log,
    noteOverLimit: (...refused) => notifySpendingLimit(limit_events, ...refused),
  })
  const counting = { meters, tracer }
  const accept_messages = makeAcceptMessages(accept)
  return {
    chargeMessage: noting(makeChargeMessages(counting, accept_messages, (draft) => draft)),
    // A ledger line of its own, which belongs to one campaign.
    chargeSlice: noting(makeChargeMessages(counting, { storeSales: accept_messages.storeSales }, (draft) => draft, 1)),
    chargeOtp: noting(makeChargeMessages(counting, makeAcceptOtps(accept), ({ draft }) => draft)),
    chargeFallback: noting(makeChargeMessages(counting, makeAcceptFallbacks(accept), ({ draft }) => draft, 1)),
    chargePurchase: noting(countSales(makeChargeSale(accept_purchases.storeSales, accept_purchases.storeMany), meters)),
    chargeLookup: noting(
      countSales(
        makeChargeSale((id, sales: readonly Sale<undefined>[]) => chargeOnly(charge_db, 'lookup', id, sales)),
        meters,
      ),
    ),
  }
}

const NO_SUBMITTERS: readonly Submitter[] = []
