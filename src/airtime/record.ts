import { CALLBACK_QUEUE } from '../callbacks/enqueue.ts'
import type { PurchaseOutcome, RequeryOutcome } from '../carriers/topup-carrier.ts'
import type { Db, Tx } from '../db/connect.ts'
import { transaction } from '../db/transaction.ts'
import type { Meters } from '../observe/meters.ts'
import { finish, postponeEach, type Job } from '../queue/store.ts'
import type { Wakeups } from '../queue/wakeups.ts'
import { groupBy } from '../values/group.ts'
import type { Log } from '../values/log.ts'
import type { Verdict } from './judge.ts'
import { settlePurchases } from './settle.ts'
import { markForReview, markSent, type Settled } from './settle-store.ts'
import { AIRTIME_QUEUE } from './store.ts'
import { recordAnswers, type OpenPurchase, type Try } from './try-store.ts'

export type RecordDeps = {
  db: Db
  wakeups: Wakeups
  log: Log
  meters: Meters
  /** What a vendor said of our money there. */
  noteBalance: (vendor: string, balance: bigint) => void
}

/** What a vendor said about a purchase, and what follows from it. */
export type Ruling = {
  job: Job
  purchase: OpenPurchase
  tried: Try
  outcome: PurchaseOutcome | RequeryOutcome
  asked: boolean
  verdict: Verdict
}

/** Writes down what vendors said and what follows, together, for many purchases at once. */
export async function recordRulings(deps: RecordDeps, rulings: readonly Ruling[]): Promise<undefined[]> {
  const groups = groupBy(rulings, ({ purchase }) => purchase.organisation_id)
  await Promise.all(
    [...groups].map(async ([organisation_id, own]) => {
      const settled = await transaction(deps.db, (tx) => recordOwn(tx, organisation_id, own))
      announceEnds(deps, settled)
    }),
  )
  for (const ruling of rulings) report(deps, ruling)
  return rulings.map(() => undefined)
}

async function recordOwn(tx: Tx, organisation_id: string, rulings: readonly Ruling[]): Promise<Settled[]> {
  const answers = rulings.map(({ purchase, tried, outcome, asked, verdict }) => {
    return { purchase_id: purchase.id, tried, status: verdict.as, asked, said: outcome }
  })
  const recorded = await recordAnswers(tx, organisation_id, answers)
  // A worker that was too slow has lost its purchase to another, who will finish or postpone the job.
  const valid = rulings.filter(({ purchase }) => recorded.has(purchase.id))
  const of = <K extends Verdict['kind']>(kind: K) =>
    valid.flatMap(({ job, verdict }) => (isOfKind(verdict, kind) ? [{ job, id: job.subject_id, verdict }] : []))

  const ends = of('settle').map(({ id, verdict }) => ({ id, status: verdict.status }))
  const settled = await settlePurchases(tx, organisation_id, ends)
  const ids = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id)
  await markSent(tx, organisation_id, ids(of('ask_later')))
  await markForReview(tx, organisation_id, ids(of('review')))
  await finish(
    tx,
    [...of('settle'), ...of('review')].map(({ job }) => job.id),
  )
  await postponeEach(tx, [
    ...of('next_vendor').map(({ job }) => ({ id: job.id, delay_ms: 0 })),
    ...[...of('call_again'), ...of('ask_later')].map(({ job, verdict }) => {
      return { id: job.id, delay_ms: verdict.delay_s * 1_000 }
    }),
  ])
  return settled
}

function isOfKind<K extends Verdict['kind']>(verdict: Verdict, kind: K): verdict is Extract<Verdict, { kind: K }> {
  return verdict.kind === kind
}

/** After the commit. */
export function announceEnds(deps: Pick<RecordDeps, 'wakeups' | 'meters'>, settled: readonly Settled[]): void {
  for (const { organisation_id, status, refunded, amount } of settled) {
    deps.meters.purchases.inc({ status })
    if (refunded) deps.meters.activity.note(organisation_id, 'refunds', Number(amount))
  }
  if (settled.some(({ callback, has_webhooks }) => callback !== null || has_webhooks)) deps.wakeups.wake(CALLBACK_QUEUE)
}

/** Wakes who goes on with it, and tells the operator what is worth knowing. */
function report(deps: RecordDeps, { purchase, tried, outcome, verdict }: Ruling): void {
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
