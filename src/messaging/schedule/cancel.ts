import { refundLines } from '../../billing/store.ts'
import type { Db } from '../../db/connect.ts'
import { transaction } from '../../db/transaction.ts'
import type { Meters } from '../../observe/meters.ts'
import { isId } from '../../values/id.ts'
import { Refusal } from '../../values/refusal.ts'
import { isMessage } from '../read/store.ts'
import { noteCanceled } from '../settle/analyse.ts'
import { readKind } from '../settle/store.ts'
import { cancelScheduled, dropJobs, lockMessages } from './store.ts'

/**
 * Takes a scheduled message back: every delivery that has not become due is `canceled` and refunded, together or not
 * at all. What has become due goes its way.
 */
export async function cancelMessage(
  deps: { db: Db; meters: Meters },
  organisation_id: string,
  id: string,
): Promise<void> {
  if (!isId(id)) throw unknownMessage()
  const canceled = await transaction(deps.db, async (tx) => {
    if (!(await lockMessages(tx, organisation_id, [id]))) return []
    const taken_back = await cancelScheduled(tx, organisation_id, id)
    const owed = taken_back.filter(({ charge }) => charge > 0n)
    await refundLines(
      tx,
      organisation_id,
      owed.map(({ recipient, charge }) => ({ subject_id: id, subject_key: recipient, amount: charge })),
    )
    await dropJobs(tx, organisation_id, id, [...new Set(taken_back.map(({ send_at }) => send_at))])
    const kind = await readKind(tx, organisation_id, id)
    return kind ? taken_back.map((one) => ({ ...kind, ...one })) : []
  })
  if (canceled.length === 0) {
    // Also what waits in the intake, where nothing scheduled is.
    if (!(await isMessage(deps.db, organisation_id, id))) throw unknownMessage()
    throw new Refusal('conflict', 'The message is not scheduled any more: it is on its way, or over.')
  }
  deps.meters.deliveries.inc({ status: 'canceled' }, canceled.length)
  const given_back = canceled.reduce((sum, { charge }) => sum + charge, 0n)
  deps.meters.activity.note(organisation_id, 'refunds', Number(given_back))
  noteCanceled(deps.meters.analytics, organisation_id, canceled)
}

function unknownMessage(): Refusal {
  return new Refusal('not_found', 'There is no such message.')
}
