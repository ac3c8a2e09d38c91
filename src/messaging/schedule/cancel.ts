import { refundLines } from '../../billing/store.ts'
import { writeEvent } from '../../callbacks/enqueue.ts'
import { readAddress, smppWants } from '../../callbacks/formats/address.ts'
import { insertWaiting } from '../../callbacks/outbox/store.ts'
import type { Db, Tx } from '../../db/connect.ts'
import { transaction } from '../../db/transaction.ts'
import type { Meters } from '../../observe/meters.ts'
import { isId } from '../../values/id.ts'
import { Refusal } from '../../values/refusal.ts'
import { isMessage } from '../read/store.ts'
import { noteCanceled } from '../counters.ts'
import { readKind } from '../settle/store.ts'
import { answerTime } from '../../values/time/moment.ts'
import { cancelScheduled, deleteJobs, lockMessages, type Canceled } from './store.ts'

/** Cancels a scheduled message: every delivery that is not due yet is `canceled` and refunded, in one transaction. */
export async function cancelMessage(
  deps: { db: Db; meters: Meters },
  organisation_id: string,
  id: string,
): Promise<void> {
  if (!isId(id)) throw unknownMessage()
  const canceled = await transaction(deps.db, async (tx) => {
    if (!(await lockMessages(tx, organisation_id, [id]))) return []
    const canceled_now = await cancelScheduled(tx, organisation_id, id)
    const owed = canceled_now.filter(({ charge }) => charge > 0n)
    await refundLines(
      tx,
      organisation_id,
      owed.map(({ recipient, charge }) => ({ subject_id: id, subject_key: recipient, amount: charge })),
    )
    await deleteJobs(tx, organisation_id, id, [...new Set(canceled_now.map(({ send_at }) => send_at))])
    const kind = await readKind(tx, organisation_id, id)
    if (!kind) return []
    if (kind.callback !== null) await reportCanceled(tx, organisation_id, kind.callback, { id, ...kind }, canceled_now)
    return canceled_now.map((one) => ({ ...kind, ...one }))
  })
  if (canceled.length === 0) {
    // It may also be in the intake, which has no scheduled messages.
    if (!(await isMessage(deps.db, organisation_id, id))) throw unknownMessage()
    throw new Refusal('conflict', 'The message is not scheduled any more: it is on its way, or over.')
  }
  deps.meters.deliveries.inc({ status: 'canceled' }, canceled.length)
  const refunded = canceled.reduce((sum, { charge }) => sum + charge, 0n)
  deps.meters.activity.note(organisation_id, 'refunds', Number(refunded))
  noteCanceled(deps.meters.analytics, organisation_id, canceled)
}

/** SMPP has a report for it, `DELETED`; callbacks have none. */
async function reportCanceled(
  tx: Tx,
  organisation_id: string,
  callback: string,
  { id, sender_id }: { id: string; sender_id: string | null },
  canceled: readonly Canceled[],
): Promise<void> {
  const address = readAddress(callback)
  if (address.format !== 'smpp' || !smppWants(address.wants, 'canceled')) return
  const { account_id } = address
  const rows = canceled.map(({ recipient }) => {
    const data = { id, recipient, status: 'canceled', sender_id: sender_id ?? undefined }
    const event = writeEvent('text.canceled', answerTime(Date.now()), data)
    return { id: event.id, account_id, address: callback, body: event.body }
  })
  await insertWaiting(tx, organisation_id, rows)
}

function unknownMessage(): Refusal {
  return new Refusal('not_found', 'There is no such message.')
}
