import type { Db } from '../../db/connect.ts'
import { transaction } from '../../db/transaction.ts'
import { enqueue } from '../../queue/store.ts'
import type { Wakeups } from '../../queue/wakeups.ts'
import { CALLBACK_QUEUE, laneOf } from '../enqueue.ts'
import { listedCallback, requireCallback } from './read.ts'
import type { ListedCallback } from '../schema.ts'
import { hastenCallback, reopenCallback } from './store.ts'
import { requireEnabled } from '../webhooks/webhooks.ts'

/** Sends a callback again immediately, with the same id and body; a pending retry is made due now. */
export async function replayCallback(
  deps: { db: Db; wakeups: Wakeups },
  organisation_id: string,
  id: string,
): Promise<ListedCallback> {
  const callback = await requireCallback(deps, organisation_id, id)
  if (callback.webhook_id !== null) await requireEnabled(deps, organisation_id, callback.webhook_id)
  const lane = laneOf(organisation_id, callback)
  await transaction(deps.db, async (tx) => {
    if (await reopenCallback(tx, organisation_id, id)) {
      await enqueue(tx, CALLBACK_QUEUE, [{ lane, organisation_id, subject_id: id }])
    } else {
      await hastenCallback(tx, CALLBACK_QUEUE, { organisation_id, lane }, id)
    }
  })
  deps.wakeups.wake(CALLBACK_QUEUE)
  return listedCallback({ ...callback, status: 'pending', next_attempt_datetime: null })
}
