import type { Db } from '../../db/connect.ts'
import { transaction } from '../../db/transaction.ts'
import type { Wakeups } from '../../queue/wakeups.ts'
import { refuseIfFaulty, type Fault } from '../../values/refusal.ts'
import { answerTime, readMoment } from '../../values/time/moment.ts'
import { insertEventFor } from '../enqueue-store.ts'
import { CALLBACK_QUEUE, writeEvent } from '../enqueue.ts'
import { listedCallback, requireCallback } from './read.ts'
import type { ListedCallback } from '../schema.ts'
import { reopenFailed } from './store.ts'
import type { ReplayBody, Replayed } from '../webhooks/schema.ts'
import { readClock } from '../webhooks/store.ts'
import { requireEnabled, requireWebhook } from '../webhooks/webhooks.ts'

/** Callbacks enqueued again by one request. */
const MAX_REPLAYED = 10_000

type Deps = { db: Db; wakeups: Wakeups }

/** Posts a test event to the endpoint, regardless of its filter, even while it is disabled. */
export async function testWebhook(deps: Deps, organisation_id: string, id: string): Promise<ListedCallback> {
  const webhook = await requireWebhook(deps.db, organisation_id, id)
  const event = writeEvent('webhook.test', await readClock(deps.db), {
    id: webhook.id,
    description: 'This is a test. Nothing has happened.',
  })
  const callback_id = await transaction(deps.db, (tx) =>
    insertEventFor(tx, CALLBACK_QUEUE, organisation_id, webhook.id, { ...event, subject_id: webhook.id }),
  )
  deps.wakeups.wake(CALLBACK_QUEUE)
  return listedCallback(await requireCallback(deps, organisation_id, callback_id ?? ''))
}

/** Sends the failed and stopped callbacks of a period again. */
export async function replayFailed(
  deps: Deps,
  organisation_id: string,
  id: string,
  body: Partial<ReplayBody>,
  shape_faults: readonly Fault[],
): Promise<Replayed> {
  await requireWebhook(deps.db, organisation_id, id)
  const faults = [...shape_faults]
  const since = readTime('since', body.since, faults)
  const until = readTime('until', body.until, faults)
  refuseIfFaulty(faults)
  await requireEnabled(deps, organisation_id, id)
  const wanted = { since: since ?? '', until: until ?? null, limit: MAX_REPLAYED }
  const replayed = await transaction(deps.db, (tx) => reopenFailed(tx, CALLBACK_QUEUE, organisation_id, id, wanted))
  if (replayed > 0) deps.wakeups.wake(CALLBACK_QUEUE)
  return { replayed, complete: replayed < MAX_REPLAYED }
}

function readTime(field: string, given: unknown, faults: Fault[]): string | undefined {
  if (typeof given !== 'string') return undefined // absent, or reported by the shape check
  const at = readMoment(given)
  // PostgreSQL has no year 0, and there are no events before 1970.
  if (at !== undefined) return answerTime(Math.max(at, 0))
  const message = 'This is not a time with its offset, such as 2026-11-14T00:00:00+01:00.'
  faults.push({ field, message, type: 'date_invalid' })
  return undefined
}
