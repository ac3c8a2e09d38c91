import { enqueueCallbacks } from '../callbacks/enqueue.ts'
import type { Tx } from '../db/connect.ts'
import { moneyToNumber } from '../values/money.ts'
import type { FinalStatus } from './schema.ts'
import { END_DESCRIPTIONS, endPurchases, type Settled } from './settle-store.ts'

/**
 * Ends purchases in the caller's transaction: their status, the refund if nothing was bought, and the callback.
 * Returns those that had not ended before; the others are skipped.
 */
export async function settlePurchases(
  tx: Tx,
  organisation_id: string,
  ends: readonly { id: string; status: FinalStatus; description?: string }[],
): Promise<Settled[]> {
  const described = ends.map(({ id, status, description }) => ({
    id,
    status,
    description: description ?? END_DESCRIPTIONS[status],
  }))
  const settled = await endPurchases(tx, organisation_id, described)
  await notifyEnds(tx, organisation_id, settled)
  return settled
}

/** Enqueues the callbacks of purchases that have ended, in the transaction that ended them. */
export async function notifyEnds(tx: Tx, organisation_id: string, settled: readonly Settled[]): Promise<void> {
  await enqueueCallbacks(tx, organisation_id, settled.flatMap(callbackOf))
}

function callbackOf(settled: Settled) {
  const { callback, id, recipient, network, amount, status, external_ref, refunded, updated_datetime } = settled
  if (callback === null && !settled.has_webhooks) return []
  return [
    {
      type: `airtime.${status}` as const,
      url: callback,
      subject_id: id,
      created_datetime: updated_datetime,
      data: {
        id,
        recipient,
        network,
        amount: moneyToNumber(amount),
        status,
        external_ref: external_ref ?? undefined,
        refunded,
      },
    },
  ]
}
