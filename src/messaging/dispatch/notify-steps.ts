import { CALLBACK_QUEUE, enqueueCallbacks } from '../../callbacks/enqueue.ts'
import { wantsSteps } from '../../callbacks/formats/address.ts'
import type { Db } from '../../db/connect.ts'
import { transaction } from '../../db/transaction.ts'
import type { Wakeups } from '../../queue/wakeups.ts'
import type { Log } from '../../values/log.ts'
import { answerTime } from '../../values/time/moment.ts'

/** A delivery that has reached a state before its final one. */
export type Step = {
  message_id: string
  recipient: string
  channel: string
  sender_id: string | null
  callback: string | null | undefined
}

/**
 * Posts `queued` and `sent` to callers of Twilio's API that gave a StatusCallback, and to no registered webhook.
 *
 * It comes after the state is stored and in a transaction of its own, so that other messages pay nothing for it. A
 * process that dies in between loses the notice of the step; the final state is stored together with its callback.
 */
export async function notifySteps(
  deps: { db: Db; wakeups: Pick<Wakeups, 'wake'>; log: Log },
  organisation_id: string,
  status: 'queued' | 'sent',
  steps: readonly Step[],
): Promise<void> {
  const wanted = steps.filter(({ callback }) => wantsSteps(callback))
  if (wanted.length === 0) return
  const created_datetime = answerTime(Date.now())
  const events = wanted.map(({ message_id, recipient, channel, sender_id, callback }) => ({
    type: `text.${status}` as const,
    url: callback ?? null,
    subject_id: message_id,
    created_datetime,
    data: { id: message_id, recipient, status, channel, sender_id: sender_id ?? undefined },
  }))
  try {
    await transaction(deps.db, (tx) => enqueueCallbacks(tx, organisation_id, events, { for_webhooks: false }))
    deps.wakeups.wake(CALLBACK_QUEUE, 0, organisation_id)
  } catch (err) {
    deps.log.warn({ err, organisation_id, status, count: events.length }, 'status callbacks could not be stored')
  }
}
