import { refundLines } from '../../billing/store.ts'
import type { Db, Tx } from '../../db/connect.ts'
import { transaction } from '../../db/transaction.ts'
import { cancelUnsent, type TakenBack } from '../../messaging/intake/store.ts'
import { noteCanceled } from '../../messaging/counters.ts'
import { readKind } from '../../messaging/settle/store.ts'
import type { Meters } from '../../observe/meters.ts'
import { listOnTheWay, noteTakenBack } from './take-back-store.ts'

/** Looking for what waits to be tried again walks the queue once for so many slices. */
const SLICES_AT_ONCE = 20

/**
 * Takes back what of a canceled campaign was charged and waits, for the first time or to be tried again, some slices at
 * a time: the deliveries are `canceled` and refunded, together or not at all. What a worker has in hand goes its way.
 * Done twice it does nothing.
 */
export async function takeBack(
  deps: { db: Db; meters: Meters; route_queues: readonly string[] },
  organisation_id: string,
  campaign_id: string,
): Promise<void> {
  const slices = await listOnTheWay(deps.db, organisation_id, campaign_id)
  for (let first = 0; first < slices.length; first += SLICES_AT_ONCE) {
    const some = slices.slice(first, first + SLICES_AT_ONCE)
    const taken = await transaction(deps.db, (tx) =>
      takeBackSlices(tx, deps.route_queues, organisation_id, campaign_id, some),
    )
    if (taken.canceled.length === 0) continue
    deps.meters.deliveries.inc({ status: 'canceled' }, taken.canceled.length)
    deps.meters.activity.note(organisation_id, 'refunds', Number(taken.given_back))
    noteCanceled(deps.meters.analytics, organisation_id, taken.canceled)
  }
}

async function takeBackSlices(
  tx: Tx,
  route_queues: readonly string[],
  organisation_id: string,
  campaign_id: string,
  slices: readonly { number: number; message_id: string }[],
) {
  const gone = await cancelUnsent(
    tx,
    organisation_id,
    slices.map(({ message_id }) => message_id),
    route_queues,
  )
  await refundLines(
    tx,
    organisation_id,
    gone
      .filter(({ charge }) => charge > 0n)
      .map(({ message_id, recipient, charge }) => ({ subject_id: message_id, subject_key: recipient, amount: charge })),
  )
  const canceled = []
  for (const { number, message_id } of slices) {
    const its = gone.filter((one) => one.message_id === message_id)
    await noteTakenBack(tx, organisation_id, campaign_id, { number, people: its.length, given_back: sum(its) })
    const kind = its.length > 0 ? await readKind(tx, organisation_id, message_id) : undefined
    if (kind) canceled.push(...its.map((one) => ({ ...kind, ...one })))
  }
  return { canceled, given_back: sum(gone) }
}

function sum(gone: readonly TakenBack[]): bigint {
  return gone.reduce((all, { charge }) => all + charge, 0n)
}
