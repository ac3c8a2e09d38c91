import type { Db } from '../db/connect.ts'
import { finish, postpone, type Job } from '../queue/store.ts'
import { startWorker, type Worker } from '../queue/worker.ts'
import type { Wakeups } from '../queue/wakeups.ts'
import type { Log } from '../values/log.ts'
import { forgetCells } from './forget-column-store.ts'

export const FORGET_QUEUE = 'contacts:forget-column'

/** Rows cleared in one transaction. */
const ROWS = 2_000
/** Then the queue gets its turn again, and a server that stops does not wait long. */
const TRANSACTIONS = 10

/** Clears the cells of deleted columns, a few rows at a time. */
export function startForgetColumns(deps: { db: Db; wakeups: Wakeups; log: Log }): Worker {
  return startWorker(deps, {
    queue: FORGET_QUEUE,
    limit: 1,
    batch: 1,
    work: async (jobs) => {
      for (const job of jobs) await forgetSome(deps, job)
    },
  })
}

async function forgetSome(deps: { db: Db; wakeups: Wakeups }, job: Job): Promise<void> {
  for (let n = 0; n < TRANSACTIONS; n += 1) {
    const cleared = await forgetCells(deps.db, job.organisation_id, Number(job.subject_key), ROWS)
    if (cleared === 0) return finish(deps.db, [job])
  }
  await postpone(deps.db, [job], 0)
  deps.wakeups.wake(FORGET_QUEUE)
}
