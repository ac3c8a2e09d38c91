import { CALLBACK_QUEUE } from '../callbacks/enqueue.ts'
import type { PurchaseOutcome, RequeryOutcome, TopupCarrier } from '../carriers/topup-carrier.ts'
import type { Db, Tx } from '../db/connect.ts'
import { transaction } from '../db/transaction.ts'
import type { Meters } from '../observe/meters.ts'
import { finish, postpone, type Job } from '../queue/store.ts'
import type { Wakeups } from '../queue/wakeups.ts'
import type { Log } from '../values/log.ts'
import { judge, type Verdict } from './judge.ts'
import type { RequerySchedule } from './requery-schedule.ts'
import { settlePurchase } from './settle.ts'
import { markForReview, markSent, type Settled } from './settle-store.ts'
import { AIRTIME_QUEUE } from './store.ts'
import { recordAnswer, type OpenPurchase, type Try } from './try-store.ts'

export type RecordDeps = {
  db: Db
  wakeups: Wakeups
  log: Log
  meters: Meters
  vendors: ReadonlyMap<string, TopupCarrier>
  schedule: RequerySchedule
  /** What a vendor said of our money there. */
  noteBalance: (vendor: string, balance: bigint) => void
}

/** Writes down what the vendor said and what follows from it, together. */
export async function record(
  deps: RecordDeps,
  job: Job,
  purchase: OpenPurchase,
  tried: Try,
  outcome: PurchaseOutcome | RequeryOutcome,
  asked: boolean,
): Promise<void> {
  const { organisation_id, id } = purchase
  const timeout_s = (deps.vendors.get(tried.vendor)?.timeout_ms ?? 0) / 1_000
  const verdict = judge(purchase, tried, outcome, { schedule: deps.schedule, timeout_s, asked })
  const settled = await transaction(deps.db, async (tx) => {
    const answer = { status: verdict.as, asked, said: outcome }
    // A worker that was too slow has lost the purchase to another, who will finish or postpone the job.
    if (!(await recordAnswer(tx, organisation_id, id, tried, answer))) return undefined
    return follow(tx, job, verdict)
  })
  if (settled) announceEnd(deps, settled)
  report(deps, purchase, tried.vendor, outcome, verdict)
  if (verdict.kind === 'next_vendor') deps.wakeups.wake(AIRTIME_QUEUE)
  if (verdict.kind === 'ask_later' || verdict.kind === 'call_again') {
    deps.wakeups.wake(AIRTIME_QUEUE, verdict.delay_s * 1_000 + 5)
  }
}

/** What the operator should know of it. */
function report(
  deps: RecordDeps,
  { organisation_id, id }: OpenPurchase,
  vendor: string,
  outcome: PurchaseOutcome | RequeryOutcome,
  verdict: Verdict,
): void {
  const { kind, code, description, vendor_balance } = outcome
  deps.meters.vendor_answers.inc({ vendor, outcome: kind })
  if (vendor_balance !== undefined) deps.noteBalance(vendor, vendor_balance)
  if (kind === 'error' || kind === 'unreached') {
    deps.log.warn({ vendor, outcome: kind, code, description }, 'an airtime vendor does not sell to us')
  }
  if (verdict.kind === 'review') {
    deps.log.warn({ organisation_id, purchase_id: id, vendor }, 'a purchase waits for the operator')
    deps.meters.purchases.inc({ status: 'review' })
  }
}

async function follow(tx: Tx, job: Job, verdict: Verdict): Promise<Settled | undefined> {
  const { organisation_id, subject_id } = job
  switch (verdict.kind) {
    case 'settle':
      await finish(tx, [job.id])
      return settlePurchase(tx, organisation_id, subject_id, verdict.status)
    case 'next_vendor':
      await postpone(tx, [job.id], 0)
      return undefined
    case 'call_again':
      await postpone(tx, [job.id], verdict.delay_s * 1_000)
      return undefined
    case 'ask_later':
      await markSent(tx, organisation_id, subject_id)
      await postpone(tx, [job.id], verdict.delay_s * 1_000)
      return undefined
    case 'review':
      await markForReview(tx, organisation_id, subject_id)
      await finish(tx, [job.id])
      return undefined
  }
}

/** After the commit. */
export function announceEnd(deps: Pick<RecordDeps, 'wakeups' | 'meters'>, { callback, status }: Settled): void {
  deps.meters.purchases.inc({ status })
  if (callback !== null) deps.wakeups.wake(CALLBACK_QUEUE)
}
