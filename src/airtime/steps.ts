import { CALLBACK_QUEUE } from '../callbacks/enqueue.ts'
import type { Db } from '../db/connect.ts'
import { transaction } from '../db/transaction.ts'
import type { Meters } from '../observe/meters.ts'
import { finish, type Job } from '../queue/store.ts'
import type { Wakeups } from '../queue/wakeups.ts'
import { makeKeyedBatchWriter, type KeyedBatchWriter } from '../values/concurrency/batch-writer.ts'
import type { Log } from '../values/log.ts'
import { notifyEnds, settlePurchases } from './settle.ts'
import { storeRulings, type Ruling, type Settled } from './settle-store.ts'
import { AIRTIME_QUEUE } from './store.ts'
import { openTries, readOpen, type NewTry, type OpenPurchase } from './try-store.ts'

/** The database writes of a purchase, batched per organisation. */
export type PurchaseSteps = {
  /** Undefined if the purchase has ended. */
  read: KeyedBatchWriter<Job, OpenPurchase | undefined>
  endAsDuplicate: KeyedBatchWriter<Job, void>
  /** False if another worker has opened the try. */
  open: KeyedBatchWriter<NewTry, boolean>
  record: KeyedBatchWriter<Ruling, void>
}

export type StepDeps = {
  db: Db
  wakeups: Wakeups
  log: Log
  meters: Meters
  /** A vendor mentioned our balance. */
  noteBalance: (vendor: string, balance: bigint) => void
}

const LIMITS = { items: 500 }

export function makePurchaseSteps(deps: StepDeps, duplicate_minutes: number): PurchaseSteps {
  const { db } = deps
  return {
    read: makeKeyedBatchWriter(LIMITS, async (organisation_id, jobs) => {
      const ids = jobs.map(({ subject_id }) => subject_id)
      const open = await readOpen(db, organisation_id, ids, duplicate_minutes)
      const by_id = new Map(open.map((purchase) => [purchase.id, purchase]))
      return ids.map((id) => by_id.get(id))
    }),

    endAsDuplicate: makeKeyedBatchWriter(LIMITS, async (organisation_id, jobs) => {
      const settled = await transaction(db, async (tx) => {
        await finish(tx, jobs)
        const ends = jobs.map(({ subject_id }) => ({ id: subject_id, status: 'duplicate' as const }))
        return settlePurchases(tx, organisation_id, ends)
      })
      countEnds(deps, settled)
    }),

    open: makeKeyedBatchWriter(LIMITS, async (organisation_id, tries) => {
      const opened = await openTries(db, organisation_id, tries)
      // Two jobs of one purchase may be in one batch: the first gets the try.
      return tries.map(({ purchase_id }) => opened.delete(purchase_id))
    }),

    record: makeKeyedBatchWriter(LIMITS, async (organisation_id, rulings) => {
      const settled = await transaction(db, async (tx) => {
        const ended = await storeRulings(tx, organisation_id, rulings)
        await notifyEnds(tx, organisation_id, ended)
        return ended
      })
      countEnds(deps, settled)
      for (const ruling of rulings) report(deps, ruling)
    }),
  }
}

/** Runs after the commit. */
function countEnds({ wakeups, meters }: StepDeps, settled: readonly Settled[]): void {
  for (const { organisation_id, status, refunded, amount } of settled) {
    meters.purchases.inc({ status })
    if (refunded) meters.activity.note(organisation_id, 'refunds', Number(amount))
  }
  if (settled.some(({ callback, has_webhooks }) => callback !== null || has_webhooks)) wakeups.wake(CALLBACK_QUEUE)
}

/** Wakes the worker for the next step; measures, and logs what the operator should know. */
function report(deps: StepDeps, { purchase, tried, outcome, verdict }: Ruling): void {
  const { vendor } = tried
  const { kind, code, description, vendor_balance } = outcome
  deps.meters.vendor_answers.inc({ vendor, outcome: kind })
  if (vendor_balance !== undefined) deps.noteBalance(vendor, vendor_balance)
  if (kind === 'error' || kind === 'unreached') {
    deps.log.warn({ vendor, outcome: kind, code, description }, 'an airtime vendor does not sell to us')
  }
  if (verdict.kind === 'review') {
    const { organisation_id, id } = purchase
    deps.log.warn({ organisation_id, purchase_id: id, vendor }, 'a purchase waits for the operator')
    deps.meters.purchases.inc({ status: 'review' })
  }
  if (verdict.kind === 'next_vendor') deps.wakeups.wake(AIRTIME_QUEUE)
  if (verdict.kind === 'ask_later' || verdict.kind === 'call_again') {
    deps.wakeups.wake(AIRTIME_QUEUE, verdict.delay_s * 1_000 + 5)
  }
}
