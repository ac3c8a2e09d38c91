import { CALLBACK_QUEUE, newEvent } from '../../callbacks/enqueue.ts'
import { reserveCallbacks, startReserved, type CallbackSender } from '../../callbacks/deliver/reserved.ts'
import { callbackOf, type SettleDeps } from '../settle/settle.ts'
import { groupBy } from '../../values/group.ts'
import { markDelivered, type Changed, type FromMemory } from '../settle/store.ts'
import type { ReportMatch } from './find-delivery-store.ts'

export type SettleDeliveredDeps = SettleDeps & {
  /** The callback deliverer of this process, once it has started. */
  callbackSender?: () => CallbackSender | undefined
}

/**
 * Settles `delivered` reports in one statement (functions/settle.sql): no refund is due, and the charge and the callback of
 * a delivery never change, so its event can be written beforehand. The statement decides which deliveries may still move.
 * If they are of several organisations, a delivery that another transaction has locked does not move.
 *
 * Returns those that moved. With `memory` (the deliveries of one organisation were remembered, not read) those that did not
 * move must be looked up; undefined: nothing was done, because the organisation has webhooks, or a person was erased lately.
 */
export async function settleDelivered(
  deps: SettleDeliveredDeps,
  matches: readonly ReportMatch[],
  memory?: FromMemory,
): Promise<readonly ReportMatch[] | undefined> {
  const rows = inLockOrder(matches)
  const clock = rows[0]?.found.clock
  if (clock === undefined) return []
  const sender = deps.callbackSender?.()
  const deliveries = rows.map((row) => {
    const { organisation_id } = row.found
    const change = changedBy(row)
    const [callback] = callbackOf(change, deps.channelOf?.(change.route))
    return { organisation_id, change, event: callback && newEvent(organisation_id, callback) }
  })
  const events = deliveries.flatMap(({ event }) => event ?? [])
  reserveCallbacks(sender, events)
  const done = await markDelivered(deps.db, clock, deliveries, memory).catch((fault: unknown) => {
    startReserved(sender, events, new Map())
    throw fault
  })
  startReserved(sender, events, done.burst_ids)
  const moved = deliveries.filter((_, n) => done.moved.has(n))
  if (moved.length === 0) return done.refused ? undefined : []
  deps.meters.deliveries.inc({ status: 'delivered' }, moved.length)
  for (const [organisation_id, own] of groupBy(moved, (one) => one.organisation_id)) {
    const has_queued = own.some(({ change, event }) => event && (!event.leased || change.has_webhooks))
    if (done.waiting > 0 && has_queued) deps.wakeups.wake(CALLBACK_QUEUE, 0, organisation_id)
    deps.onSettled(
      organisation_id,
      own.map(({ change }) => change),
    )
  }
  const named = deliveries.flatMap(({ change }, n) => {
    const operator = rows[n]?.report.operator
    return operator && done.moved.has(n) ? [{ ...change, operator }] : []
  })
  if (named.length > 0) await deps.noteFacts(named)
  const keys = new Set(rows.flatMap(({ found }, n) => (done.moved.has(n) ? [keyOf(found)] : [])))
  return matches.filter(({ found }) => keys.has(keyOf(found)))
}

function keyOf({ organisation_id, message_id, recipient }: ReportMatch['found']): string {
  return `${organisation_id} ${message_id} ${recipient}`
}

/** Each delivery once, in the order in which every statement locks deliveries. */
function inLockOrder(matches: readonly ReportMatch[]): ReportMatch[] {
  const by_delivery = new Map(matches.map((one) => [keyOf(one.found), one]))
  return [...by_delivery].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one)
}

function changedBy({ found, report: { carrier, code, description } }: ReportMatch): Changed {
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
    carrier,
    routing: found.routing,
    sent_datetime: found.sent_datetime,
  }
}
