import { CALLBACK_QUEUE, enqueueCallbacks } from '../../callbacks/enqueue.ts'
import { wantsReads } from '../../callbacks/formats/address.ts'
import type { CarrierReceipt, TakeReceipts } from '../../carriers/message-carrier.ts'
import type { Db } from '../../db/connect.ts'
import { transaction } from '../../db/transaction.ts'
import type { Wakeups } from '../../queue/wakeups.ts'
import { groupBy } from '../../values/group.ts'
import { Refusal } from '../../values/refusal.ts'
import { areWaiting, storeReceipts, type Read } from './receipt-store.ts'

export type ReceiptDeps = {
  db: Db
  wakeups: Wakeups
  /** Runs after the commit, once for each delivery. */
  onRead: (organisation_id: string, read: readonly Read[]) => void
}

/**
 * Stores read receipts and price categories, and the event of each delivery that was read for the first time. A receipt
 * for a delivery that is not stored yet is refused as `unavailable`, once all others are stored: the carrier repeats it. An
 * old one, or one for a delivery that was deleted, is dropped.
 */
export function makeReceiveReceipts(deps: ReceiptDeps): TakeReceipts {
  return async (receipts) => {
    if (receipts.length === 0) return
    let is_early = false
    for (const [organisation_id, own] of groupBy(receipts, (receipt) => receipt.organisation_id)) {
      const read = await transaction(deps.db, async (tx) => {
        const stored = await storeReceipts(tx, organisation_id, inLockOrder(own))
        await enqueueCallbacks(tx, organisation_id, stored.flatMap(eventOf))
        return stored
      })
      if (read.length > 0) deps.wakeups.wake(CALLBACK_QUEUE, 0, organisation_id)
      deps.onRead(organisation_id, read)
      const recent = own.filter(({ reported_s }) => reported_s > Date.now() / 1_000 - REPEATED_FOR_S)
      is_early ||= await areWaiting(deps.db, organisation_id, recent)
    }
    if (is_early) throw new Refusal('unavailable', 'A message is not stored yet: repeat the post.', [], RETRY_AFTER_S)
  }
}

const RETRY_AFTER_S = 5
/** Much longer than the lease of a message, for which it may be unknown that the carrier has it. */
const REPEATED_FOR_S = 600

/** Each delivery once, with all that was said of it, in the order in which every statement locks deliveries. */
function inLockOrder(receipts: readonly CarrierReceipt[]): CarrierReceipt[] {
  const once = new Map<string, CarrierReceipt>()
  for (const receipt of receipts) {
    const key = `${receipt.message_id} ${receipt.recipient}`
    once.set(key, { ...receipt, ...once.get(key) })
  }
  return [...once].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, receipt]) => receipt)
}

function eventOf(read: Read) {
  const callback = read.callback !== null && wantsReads(read.callback) ? read.callback : null
  if (callback === null && !read.has_webhooks) return []
  return [
    {
      type: 'text.read' as const,
      url: callback,
      subject_id: read.message_id,
      created_datetime: read.read_datetime,
      data: {
        id: read.message_id,
        recipient: read.recipient,
        status: read.status,
        channel: read.channel,
        sender_id: read.sender_id ?? undefined,
        external_ref: read.external_ref ?? undefined,
        price_category: read.price_category ?? undefined,
        read_datetime: read.read_datetime,
      },
    },
  ]
}
