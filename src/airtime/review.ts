import type { Db, Tx } from '../db/connect.ts'
import { transaction } from '../db/transaction.ts'
import { isId } from '../values/id.ts'
import { settlePurchases } from './settle.ts'
import { listReview, lockReview, type ReviewRow, type Settled } from './settle-store.ts'

const MAX_LISTED = 1_000

/** Purchases whose outcome no vendor has confirmed in time, oldest first. */
export async function findReview(deps: { db: Db }): Promise<ReviewRow[]> {
  return listReview(deps.db, MAX_LISTED)
}

/**
 * Settles a purchase as the operator decides, exactly once: undefined if it is not in review. `also` runs in the same
 * transaction, for example to store who decided.
 */
export async function settleReview(
  deps: { db: Db },
  id: string,
  status: 'success' | 'failed',
  also: (tx: Tx, settled: Settled) => Promise<void> = async () => {},
): Promise<Settled | undefined> {
  if (!isId(id)) return undefined
  return transaction(deps.db, async (tx) => {
    const waiting = await lockReview(tx, id)
    if (!waiting) return undefined
    const [settled] = await settlePurchases(tx, waiting.organisation_id, [{ id, status, description: DECIDED }])
    if (settled) await also(tx, settled)
    return settled
  })
}

const DECIDED = 'Settled by the operator.'
