import { CALLBACK_QUEUE, writeEvents } from '../../callbacks/enqueue.ts'
import { reserveCallbacks, startReserved, type CallbackSender } from '../../callbacks/deliver/reserved.ts'
import { callbackOf, type SettleDeps } from '../settle/settle.ts'
import { markDelivered, type Changed, type FromMemory } from '../settle/store.ts'
import type { ReportMatch } from './find-delivery-store.ts'

export type SettleDeliveredDeps = SettleDeps & {
  /** The callback deliverer of this process, once it has started. */
  callbackSender?: () => CallbackSender | undefined
}

/**
 * Settles `delivered` reports of one organisation in one statement (functions/settle.sql): no refund is due, and the
 * charge and the callback of a delivery never change, so its event can be written beforehand. The statement decides which
 * deliveries may still move.
 *
 * Returns those that moved. With `memory` (the deliveries were remembered, not read) those that did not move must be
 * looked up; undefined: nothing was done, because the organisation has webhooks, or a person was erased lately.
 */
export async function settleDelivered(
  deps: SettleDeliveredDeps,
  organisation_id: string,
  matches: readonly ReportMatch[],
  memory?: FromMemory,
): Promise<readonly ReportMatch[] | undefined> {
  const rows = inLockOrder(matches)
  const clock = rows[0]?.found.clock
  if (clock === undefined) return []
  const changed = rows.map(changedBy)
  const sender = deps.callbackSender?.()
  const callbacks = changed.map((one) => callbackOf(one, deps.channelOf?.(one.route)))
  const events = writeEvents(organisation_id, callbacks.flat())
  reserveCallbacks(sender, organisation_id, events)
  let next = 0
  const deliveries = changed.map((change, n) => ({ change, event: callbacks[n]?.length ? events[next++] : undefined }))
  const done = await markDelivered(deps.db, organisation_id, clock, deliveries, memory).catch((fault: unknown) => {
    startReserved(sender, organisation_id, events, new Map())
    throw fault
  })
  startReserved(sender, organisation_id, events, done.burst_ids)
  if (done.waiting > 0) deps.wakeups.wake(CALLBACK_QUEUE, 0, organisation_id)
  const moved = changed.filter((_, n) => done.moved.has(n))
  if (moved.length === 0) return done.refused ? undefined : []
  deps.meters.deliveries.inc({ status: 'delivered' }, moved.length)
  deps.onSettled(organisation_id, moved)
  const named = changed.flatMap((one, n) => {
    const operator = rows[n]?.report.operator
    return operator && done.moved.has(n) ? [{ ...one, operator }] : []
  })
  if (named.length > 0) await deps.noteFacts(named)
  const keys = new Set(moved.map(keyOf))
  return matches.filter(({ found }) => keys.has(keyOf(found)))
}

function keyOf({ message_id, recipient }: { message_id: string; recipient: string }): string {
  return `${message_id} ${recipient}`
}

/** Each delivery once, in the order in which every statement locks deliveries. */
function inLockOrder(matches: readonly ReportMatch[]): ReportMatch[] {
  const by_delivery = new Map(matches.map((one) => [keyOf(one.found), one]))
  return [...by_delivery].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one)
}

function changedBy({ found, report: { code, description } }: ReportMatch): Changed {
  const { message_id, recipient, channel, sender_id, template_id, external_ref, callback, has_webhooks, route } = found
  return {
    message_id,
    recipient,
    status: 'delivered',
    code,
    description,
    channel,
    sender_id,
    template_id,
    external_ref,
    callback,
    has_webhooks,
    route,
    pages: found.pages,
    charge: found.charge,
    refunded: false,
    was: found.delivery_status ?? 'sent',
    was_code: found.was_code,
    updated_datetime: found.clock,
  }
}
