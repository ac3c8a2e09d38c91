import { CALLBACK_QUEUE } from '../callbacks/enqueue.ts'
import type { Db, Tx } from '../db/connect.ts'
import { transaction } from '../db/transaction.ts'
import type { Meters } from '../observe/meters.ts'
import type { Wakeups } from '../queue/wakeups.ts'
import { groupBy } from '../values/group.ts'
import type { Log } from '../values/log.ts'
import { writeRulings, type Ruling } from './record-store.ts'
import { tellEnds } from './settle.ts'
import type { Settled } from './settle-store.ts'
import { AIRTIME_QUEUE } from './store.ts'

export type RecordDeps = {
  db: Db
  wakeups: Wakeups
  log: Log
  meters: Meters
  /** What a vendor said of our money there. */
  noteBalance: (vendor: string, balance: bigint) => void
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
  const settled = await writeRulings(tx, organisation_id, rulings)
  await tellEnds(tx, organisation_id, settled)
  return settled
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
