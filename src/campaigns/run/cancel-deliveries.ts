import { refundLines } from '../../billing/store.ts'
import type { Db, Tx } from '../../db/connect.ts'
import { transaction } from '../../db/transaction.ts'
import { cancelUnsent, type CanceledDelivery } from '../../messaging/intake/store.ts'
import { noteCanceled } from '../../messaging/counters.ts'
import { readKind } from '../../messaging/settle/store.ts'
import type { Meters } from '../../observe/meters.ts'
import { listUnfinished, recordCanceled } from './slice-store.ts'

/** Slices canceled in one transaction: the queue of retries is scanned once for all of them. */
const SLICES_PER_BATCH = 20

/**
 * Cancels the deliveries of a canceled campaign that were charged but are not submitted, first tries and retries. Each
 * batch is canceled and refunded in one transaction. Deliveries leased by a worker are still sent. Idempotent.
 */
export async function cancelDeliveries(
  deps: { db: Db; meters: Meters; route_queues: readonly string[] },
  organisation_id: string,
  campaign_id: string,
): Promise<void> {
  const slices = await listUnfinished(deps.db, organisation_id, campaign_id)
  for (let first = 0; first < slices.length; first += SLICES_PER_BATCH) {
    const some = slices.slice(first, first + SLICES_PER_BATCH)
    const taken = await transaction(deps.db, (tx) =>
      cancelSlices(tx, deps.route_queues, organisation_id, campaign_id, some),
    )
    if (taken.canceled.length === 0) continue
    deps.meters.deliveries.inc({ status: 'canceled' }, taken.canceled.length)
    deps.meters.activity.note(organisation_id, 'refunds', Number(taken.given_back))
    noteCanceled(deps.meters.analytics, organisation_id, taken.canceled)
  }
}

async function cancelSlices(
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
    await recordCanceled(tx, organisation_id, campaign_id, { number, people: its.length, given_back: sum(its) })
    const kind = its.length > 0 ? await readKind(tx, organisation_id, message_id) : undefined
    if (kind) canceled.push(...its.map((one) => ({ ...kind, ...one })))
  }
  return { canceled, given_back: sum(gone) }
}

function sum(gone: readonly CanceledDelivery[]): bigint {
  return gone.reduce((all, { charge }) => all + charge, 0n)
}
