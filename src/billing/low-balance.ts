import type { Db, Tx } from '../db/connect.ts'
import { transaction } from '../db/transaction.ts'
import { startPeriodicJob, type PeriodicJob } from '../values/concurrency/periodic-job.ts'
import type { Log } from '../values/log.ts'
import { moneyToNumber } from '../values/money.ts'
import { findCrossed, noteCrossed, type Crossed } from './low-balance-store.ts'

export type LowBalanceEvent = {
  type: 'balance.low'
  url: null
  subject_id: string
  created_datetime: string
  data: { balance: number; low_balance: number; currency: string }
}

type Deps = {
  db: Db
  log: Log
  enqueue: (tx: Tx, organisation_id: string, events: readonly LowBalanceEvent[]) => Promise<number>
  /** Called after events were enqueued. */
  wake: () => void
}

const INTERVAL_MS = 3_000
/** Organisations per run; the others follow in the next one. */
const BATCH = 500

/**
 * Enqueues `balance.low` once when a balance falls below the organisation's threshold, until it is above it again. It
 * polls instead of checking at each charge, because every message waits for the row of the balance.
 */
export function startLowBalances(deps: Deps, interval_ms = INTERVAL_MS): PeriodicJob {
  const onFailure = (err: unknown) => deps.log.warn({ err }, 'low balances could not be checked')
  return startPeriodicJob(interval_ms, () => notifyLowBalances(deps), onFailure)
}

async function notifyLowBalances(deps: Deps): Promise<void> {
  let enqueued = 0
  for (const one of await findCrossed(deps.db, BATCH)) enqueued += await notifyOne(deps, one)
  if (enqueued > 0) deps.wake()
}

/** Marks the crossing and enqueues the event in one transaction, so that one of several processes does it. */
async function notifyOne({ db, enqueue }: Deps, crossed: Crossed): Promise<number> {
  const { organisation_id, low_balance, currency } = crossed
  return transaction(db, async (tx) => {
    const noted = await noteCrossed(tx, crossed)
    if (!noted || !crossed.low || low_balance === null) return 0
    const data = { balance: moneyToNumber(noted.balance), low_balance: moneyToNumber(low_balance), currency }
    const { moment: created_datetime } = noted
    return enqueue(tx, organisation_id, [
      { type: 'balance.low', url: null, subject_id: organisation_id, created_datetime, data },
    ])
  })
}
