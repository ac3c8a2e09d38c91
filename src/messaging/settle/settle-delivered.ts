import { CALLBACK_QUEUE, writeEvents } from '../../callbacks/enqueue.ts'
import { startReserved, reserveCallbacks } from '../../callbacks/deliver/reserved.ts'
import type { Arrived } from '../reports/find-store.ts'
import { callbackOf, type SettleDeps } from './settle.ts'
import { markDelivered, type Changed, type Memory } from './store.ts'

/**
 * Good news, settled in one statement: most messages arrive, and one that does needs no refund and no second thought.
 * What a delivery was charged and whom to tell never changes, so the callback can be written beforehand; whether the
 * delivery may still move is for the statement to say.
 *
 * Gives those that moved. From memory, which may be behind, those that did not must be looked up; undefined when nothing
 * was done, because the organisation has endpoints that want to hear of it, or what is remembered may have been erased.
 */
export async function settleDelivered(
  deps: SettleDeps,
  organisation_id: string,
  arrived: readonly Arrived[],
  memory?: Memory,
): Promise<readonly Arrived[] | undefined> {
  const rows = inLockOrder(arrived)
  const clock = rows[0]?.found.clock
  if (clock === undefined) return []
  const changed = rows.map(changedBy)
  const sender = deps.callbackSender?.()
  const told = changed.map((one) => callbackOf(one, deps.channelOf?.(one.route)))
  const events = writeEvents(organisation_id, told.flat())
  reserveCallbacks(sender, organisation_id, events)
  let next = 0
  const arrivals = changed.map((change, n) => ({ change, event: told[n]?.length ? events[next++] : undefined }))
  const done = await markDelivered(deps.db, organisation_id, clock, arrivals, memory).catch((fault: unknown) => {
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
  return arrived.filter(({ found }) => keys.has(keyOf(found)))
}

function keyOf({ message_id, recipient }: { message_id: string; recipient: string }): string {
  return `${message_id} ${recipient}`
}

/** Each delivery once, in the order in which all who change deliveries lock them. */
function inLockOrder(arrived: readonly Arrived[]): Arrived[] {
  const by_delivery = new Map(arrived.map((one) => [keyOf(one.found), one]))
  return [...by_delivery].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one)
}

function changedBy({ found, report: { code, description } }: Arrived): Changed {
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
