import { enqueueCallbacks } from '../callbacks/enqueue.ts'
import type { Tx } from '../db/connect.ts'
import { moneyToNumber } from '../values/money.ts'
import type { FinalStatus } from './schema.ts'
import { endPurchases, type Settled } from './settle-store.ts'

/**
 * Ends purchases: their state, the refund where nothing was bought, and the callback, in the caller's transaction.
 * Returns those that had not ended already; for the others nothing is done.
 */
export async function settlePurchases(
  tx: Tx,
  organisation_id: string,
  ends: readonly { id: string; status: FinalStatus; description?: string }[],
): Promise<Settled[]> {
  const told = ends.map(({ id, status, description }) => ({
    id,
    status,
    description: description ?? SENTENCES[status],
  }))
  const settled = await endPurchases(tx, organisation_id, told)
  await tellEnds(tx, organisation_id, settled)
  return settled
}

/** Tells whoever wants to hear it that purchases have ended, in the transaction in which they did. */
export async function tellEnds(tx: Tx, organisation_id: string, settled: readonly Settled[]): Promise<void> {
  await enqueueCallbacks(tx, organisation_id, settled.flatMap(callbackOf))
}

/** What the customer reads; the vendor's own words are the operator's. */
export const SENTENCES: Record<FinalStatus, string | null> = {
  success: null,
  failed: 'The network or the vendor refused it; nothing was bought.',
  duplicate: 'It repeats another purchase; nothing was bought.',
  error: 'It could not be bought for a reason on our side.',
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
