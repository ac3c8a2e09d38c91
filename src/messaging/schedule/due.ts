import type { Db } from '../../db/connect.ts'
import { transaction } from '../../db/transaction.ts'
import { finish, type Job } from '../../queue/store.ts'
import type { Wakeups } from '../../queue/wakeups.ts'
import { startWorker, type Worker } from '../../queue/worker.ts'
import { groupBy } from '../../values/group.ts'
import type { Log } from '../../values/log.ts'
import { BULK_FROM, PRIORITY } from '../draft.ts'
import { routeQueue } from '../dispatch/queues.ts'
import { lockMessages, queueDue, SCHEDULE_QUEUE } from './store.ts'

type Deps = { db: Db; wakeups: Wakeups; log: Log }

/** Small, because one job may stand for ten thousand deliveries. */
const BATCH = 20

/** Enqueues scheduled deliveries that are due in the queue of their route. */
export function startScheduleWorker(deps: Deps): Worker {
  return startWorker(deps, {
    queue: SCHEDULE_QUEUE,
    limit: 2 * BATCH,
    batch: BATCH,
    work: async (jobs) => {
      const groups = groupBy(jobs, ({ organisation_id }) => organisation_id)
      await Promise.all([...groups].map(([organisation_id, own]) => release(deps, organisation_id, own)))
    },
  })
}

async function release(deps: Deps, organisation_id: string, jobs: readonly Job[]): Promise<void> {
  const due = jobs.map(({ subject_id, subject_key }) => ({ message_id: subject_id, send_at: subject_key }))
  const routes = await transaction(deps.db, async (tx) => {
    await lockMessages(
      tx,
      organisation_id,
      due.map(({ message_id }) => message_id),
    )
    const taken = await queueDue(tx, organisation_id, due, { ...PRIORITY, bulk_from: BULK_FROM })
    await finish(tx, jobs)
    return taken
  })
  for (const { route } of routes) deps.wakeups.wake(routeQueue(route), 0, organisation_id)
}
