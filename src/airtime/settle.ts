import { refundLines } from '../billing/store.ts'
import { enqueueCallbacks } from '../callbacks/enqueue.ts'
import type { Tx } from '../db/connect.ts'
import { moneyToNumber } from '../values/money.ts'
import type { FinalStatus } from './schema.ts'
import { endPurchase, type Settled } from './settle-store.ts'

/**
 * Ends a purchase: its state, the refund when nothing was bought, and the callback, in the caller's transaction.
 * Undefined, and nothing done, when it has ended already.
 */
export async function settlePurchase(
  tx: Tx,
  organisation_id: string,
  id: string,
  status: FinalStatus,
  description: string | null = SENTENCES[status],
): Promise<Settled | undefined> {
  const settled = await endPurchase(tx, organisation_id, id, { status, description })
  if (!settled) return undefined
  if (settled.refunded) {
    await refundLines(tx, organisation_id, [{ subject_id: id, subject_key: settled.recipient, amount: settled.amount }])
  }
  await enqueueCallbacks(tx, organisation_id, callbackOf(settled))
  return settled
}

/** What the customer reads; the vendor's own words are the operator's. */
const SENTENCES: Record<FinalStatus, string | null> = {
  success: null,
  failed: 'The network or the vendor refused it; nothing was bought.',
  duplicate: 'It repeats another purchase; nothing was bought.',
  error: 'It could not be bought for a reason on our side.',
}

function callbackOf(settled: Settled) {
  const { callback, id, recipient, network, amount, status, external_ref, refunded, updated_datetime } = settled
  if (callback === null) return []
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
