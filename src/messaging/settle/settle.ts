import { refundLines } from '../../billing/store.ts'
import { wantsReport } from '../../callbacks/formats/address.ts'
import { CALLBACK_QUEUE, enqueueCallbacks } from '../../callbacks/enqueue.ts'
import type { Channel } from '../../carriers/message-carrier.ts'
import type { Db, Tx } from '../../db/connect.ts'
import { transaction } from '../../db/transaction.ts'
import type { NoteFacts } from '../../numbers/note-facts.ts'
import type { Meters } from '../../observe/meters.ts'
import type { Wakeups } from '../../queue/wakeups.ts'
import { moneyToNumber } from '../../values/money.ts'
import { changeStates, type Change, type Changed } from './store.ts'

export type SettleDeps = {
  db: Db
  wakeups: Wakeups
  meters: Meters
  /** Runs in the same transaction, for modules above this one; the function it may return runs after the commit. */
  onChanged: (tx: Tx, organisation_id: string, changed: readonly Changed[]) => Promise<void | (() => void)>
  noteFacts: NoteFacts
  /** The channel that a route sends on; undefined: the channel of the message. */
  channelOf?: (route: string) => Channel | undefined
  /** Runs after the commit: counts, and notifies live views. */
  onSettled: (organisation_id: string, changed: readonly Changed[]) => void
}

/**
 * Moves deliveries of one organisation to their next state, refunds those that were never carried and enqueues the
 * callbacks, in one transaction. Changes may be computed inside the transaction. `also` joins it, for example to delete
 * the job that is done by it.
 */
export async function settle(
  deps: SettleDeps,
  organisation_id: string,
  given: readonly Change[] | ((tx: Tx) => Promise<readonly Change[]>),
  also: (tx: Tx) => Promise<void>,
): Promise<Changed[]> {
  let changes: readonly Change[] = []
  const { changed, afterCommit } = await transaction(deps.db, async (tx) => {
    changes = typeof given === 'function' ? await given(tx) : given
    const moved = changes.length > 0 ? await changeStates(tx, organisation_id, changes) : []
    const owed = moved.filter(({ refunded }) => refunded)
    await refundLines(tx, organisation_id, owed.map(refundOf))
    await enqueueCallbacks(
      tx,
      organisation_id,
      moved.flatMap((one) => callbackOf(one, deps.channelOf?.(one.route))),
    )
    const after = await deps.onChanged(tx, organisation_id, moved)
    await also(tx)
    return { changed: moved, afterCommit: after }
  })
  if (changed.some(({ callback, has_webhooks }) => callback !== null || has_webhooks)) {
    deps.wakeups.wake(CALLBACK_QUEUE, 0, organisation_id)
  }
  if (typeof afterCommit === 'function') afterCommit()
  for (const { status } of changed) deps.meters.deliveries.inc({ status })
  deps.onSettled(organisation_id, changed)
  await deps.noteFacts(withOperators(changed, changes))
  return changed
}

/** The moved deliveries, each with the operator that its carrier named. */
function withOperators(changed: readonly Changed[], changes: readonly Change[]) {
  const named = changes.filter(({ operator }) => operator)
  const operators = new Map(named.map((one) => [`${one.message_id} ${one.recipient}`, one.operator]))
  return changed.map((one) => ({ ...one, operator: operators.get(`${one.message_id} ${one.recipient}`) }))
}

function refundOf({ message_id, recipient, charge }: Changed) {
  return { subject_id: message_id, subject_key: recipient, amount: charge }
}

/** The callback event of a change, if any receiver wants it. `unknown` is not an outcome, so it has no event. */
export function callbackOf(changed: Changed, channel: Channel = changed.channel) {
  const { has_webhooks, message_id, status } = changed
  const callback = changed.callback !== null && wantsReport(changed.callback, status) ? changed.callback : null
  if ((callback === null && !has_webhooks) || status === 'unknown') return []
  return [
    {
      type: `text.${status}` as const,
      url: callback,
      subject_id: message_id,
      created_datetime: changed.updated_datetime,
      data: {
        id: message_id,
        recipient: changed.recipient,
        status,
        channel,
        sender_id: changed.sender_id ?? undefined,
        external_ref: changed.external_ref ?? undefined,
        pages: changed.pages,
        charge: moneyToNumber(changed.charge),
        refunded: changed.refunded,
        code: changed.code ?? undefined,
        description: changed.description ?? undefined,
        updated_datetime: changed.updated_datetime,
      },
    },
  ]
}
