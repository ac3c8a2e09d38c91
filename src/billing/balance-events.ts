import type { Db, Tx } from '../db/connect.ts'
import { transaction } from '../db/transaction.ts'
import { startPeriodicJob, type PeriodicJob } from '../values/concurrency/periodic-job.ts'
import type { Log } from '../values/log.ts'
import { moneyToNumber } from '../values/money.ts'
import { findDue, forgetCovered, noteCrossed, noteExhausted, type Due } from './balance-events-store.ts'

type Event<Type extends string, Data> = {
  type: Type
  url: null
  subject_id: string
  created_datetime: string
  data: Data & { balance: number; currency: string }
}
export type BalanceEvent =
  | Event<'balance.low', { low_balance: number }>
  | Event<'balance.exhausted', { credit_limit: number; charge: number }>

type Deps = {
  db: Db
  log: Log
  enqueue: (tx: Tx, organisation_id: string, events: readonly BalanceEvent[]) => Promise<number>
  /** Called after events were enqueued. */
  wake: () => void
}

const INTERVAL_MS = 3_000
/** Organisations per run; the others follow in the next one. */
const BATCH = 500

/**
 * Enqueues `balance.low` once when balance and credit fall below the organisation's threshold, until they are above it
 * again, and `balance.exhausted` once when a charge was refused, until they cover it. It polls instead of checking at each
 * charge, because every message waits for the row of the balance.
 */
export function startBalanceEvents(deps: Deps, interval_ms = INTERVAL_MS): PeriodicJob {
  const onFailure = (err: unknown) => deps.log.warn({ err }, 'balances could not be checked')
  return startPeriodicJob(interval_ms, () => notifyAll(deps), onFailure)
}

async function notifyAll(deps: Deps): Promise<void> {
  let enqueued = 0
  const due = await findDue(deps.db, BATCH)
  for (const one of due.filter(({ crossed }) => crossed)) enqueued += await notifyLow(deps, one)
  if (due.some(({ covered }) => covered)) await forgetCovered(deps.db)
  for (const one of due.filter(({ exhausted }) => exhausted)) enqueued += await notifyExhausted(deps, one)
  if (enqueued > 0) deps.wake()
}

/** Marks the crossing and enqueues the event in one transaction, so that one of several processes does it. */
async function notifyLow({ db, enqueue }: Deps, due: Due): Promise<number> {
  const { organisation_id, low_balance, currency, low } = due
  return transaction(db, async (tx) => {
    const noted = await noteCrossed(tx, due)
    if (!noted || !low || low_balance === null) return 0
    const data = { balance: moneyToNumber(noted.balance), low_balance: moneyToNumber(low_balance), currency }
    const { moment: created_datetime } = noted
    return enqueue(tx, organisation_id, [
      { type: 'balance.low', url: null, subject_id: organisation_id, created_datetime, data },
    ])
  })
}

async function notifyExhausted({ db, enqueue }: Deps, { organisation_id, currency }: Due): Promise<number> {
  return transaction(db, async (tx) => {
    const noted = await noteExhausted(tx, organisation_id)
    if (!noted) return 0
    return enqueue(tx, organisation_id, [
      {
        type: 'balance.exhausted',
        url: null,
        subject_id: organisation_id,
        created_datetime: noted.moment,
        data: {
          balance: moneyToNumber(noted.balance),
          credit_limit: moneyToNumber(noted.credit_limit),
          charge: moneyToNumber(noted.charge),
          currency,
        },
      },
    ])
  })
}
