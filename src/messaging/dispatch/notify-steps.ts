import { CALLBACK_QUEUE, enqueueCallbacks } from '../../callbacks/enqueue.ts'
import { wantsSteps } from '../../callbacks/formats/address.ts'
import type { Db } from '../../db/connect.ts'
import { transaction } from '../../db/transaction.ts'
import type { Wakeups } from '../../queue/wakeups.ts'
import type { Log } from '../../values/log.ts'
import { answerTime } from '../../values/time/moment.ts'

/** A delivery in an intermediate state. */
export type Step = {
  message_id: string
  recipient: string
  channel: string
  sender_id: string | null
  callback: string | null | undefined
}

/**
 * Enqueues callbacks for `queued` and `sent`, for callers of Twilio's API with a StatusCallback; registered webhooks get none.
 *
 * In a transaction of its own after the state is stored, so that other messages do not pay for it. A crash in between loses
 * this callback; the final state is stored together with its callback.
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
