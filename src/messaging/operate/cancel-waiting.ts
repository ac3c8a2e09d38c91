import { refundLines } from '../../billing/store.ts'
import type { Db, Tx } from '../../db/connect.ts'
import { transaction } from '../../db/transaction.ts'
import type { Meters } from '../../observe/meters.ts'
import { recordAudit, type Actor } from '../../users/audit.ts'
import { Refusal } from '../../values/refusal.ts'
import { noteCanceled } from '../counters.ts'
import { cancelUnsent } from '../intake/store.ts'
import { isMessage } from '../read/store.ts'
import { cancelScheduled, deleteJobs, lockMessages } from '../schedule/store.ts'
import { readKind } from '../settle/store.ts'
import { cancelInBatches } from './store.ts'

/**
 * Cancels all deliveries of a message that wait: scheduled ones, those in the intake that no process has begun to submit,
 * and retries. They are refunded in the same transaction; what a carrier has or may have goes on.
 */
export async function cancelWaiting(
  deps: { db: Db; meters: Meters; route_queues: readonly string[] },
  who: Actor,
  organisation_id: string,
  message_id: string,
): Promise<{ canceled: number; refunded: bigint }> {
  const canceled = await transaction(deps.db, async (tx) => {
    const gone = await cancelAll(tx, deps.route_queues, organisation_id, message_id)
    if (gone.length === 0) return []
    await refundLines(
      tx,
      organisation_id,
      gone
        .filter(({ charge }) => charge > 0n)
        .map(({ recipient, charge }) => ({ subject_id: message_id, subject_key: recipient, amount: charge })),
    )
    await recordAudit(tx, who, {
      organisation_id,
      action: 'message.cancel',
      subject: message_id,
      after: { deliveries: gone.length },
    })
    const kind = await readKind(tx, organisation_id, message_id)
    return kind ? gone.map((one) => ({ ...kind, ...one })) : []
  })
  if (canceled.length === 0) {
    if (!(await isMessage(deps.db, organisation_id, message_id))) {
      throw new Refusal('not_found', 'There is no such message.')
    }
    throw new Refusal('conflict', 'No delivery of this message waits: it is in flight, or over.')
  }
  const refunded = canceled.reduce((sum, { charge }) => sum + charge, 0n)
  deps.meters.deliveries.inc({ status: 'canceled' }, canceled.length)
  deps.meters.activity.note(organisation_id, 'refunds', Number(refunded))
  noteCanceled(deps.meters.analytics, organisation_id, canceled)
  return { canceled: canceled.length, refunded }
}

async function cancelAll(tx: Tx, route_queues: readonly string[], organisation_id: string, message_id: string) {
  const is_stored = await lockMessages(tx, organisation_id, [message_id])
  const scheduled = is_stored ? await cancelScheduled(tx, organisation_id, message_id) : []
  if (scheduled.length > 0) {
    await deleteJobs(tx, organisation_id, message_id, [...new Set(scheduled.map(({ send_at }) => send_at))])
  }
  const in_batches = await cancelInBatches(tx, organisation_id, message_id)
  return [...scheduled, ...in_batches, ...(await cancelUnsent(tx, organisation_id, [message_id], route_queues))]
}
