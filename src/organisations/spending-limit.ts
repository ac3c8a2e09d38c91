import type { Db, Tx } from '../db/connect.ts'
import { transaction } from '../db/transaction.ts'
import { moneyToNumber, type SpendingLimit } from '../values/money.ts'
import { present } from '../values/record.ts'
import { markLimitNotified } from './key-store.ts'

export type LimitEvent = {
  type: 'balance.spending_limit'
  url: null
  subject_id: string
  created_datetime: string
  data: { key_id: string; key: string; name?: string; daily_spending_limit: number; charge: number; currency: string }
}

type Deps = {
  db: Db
  enqueue: (tx: Tx, organisation_id: string, events: readonly LimitEvent[]) => Promise<number>
  /** Called after events were enqueued. */
  wake: () => void
}

/** Enqueues `balance.spending_limit` for a refused charge, once per key and day. */
export async function notifySpendingLimit(
  { db, enqueue, wake }: Deps,
  organisation_id: string,
  { key_id, daily }: SpendingLimit,
  charge: bigint,
): Promise<void> {
  const enqueued = await transaction(db, async (tx) => {
    const marked = await markLimitNotified(tx, key_id)
    if (!marked) return 0
    const { hint, name, currency, moment: created_datetime } = marked
    const data = {
      key_id,
      key: hint,
      ...present('name', name),
      daily_spending_limit: moneyToNumber(daily),
      charge: moneyToNumber(charge),
      currency,
    }
    return enqueue(tx, organisation_id, [
      { type: 'balance.spending_limit', url: null, subject_id: organisation_id, created_datetime, data },
    ])
  })
  if (enqueued > 0) wake()
}
