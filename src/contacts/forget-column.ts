import type { Db } from '../db/connect.ts'
import { startSlicedJobs, type JobSteps } from '../queue/sliced-job.ts'
import type { Job } from '../queue/store.ts'
import type { Wakeups } from '../queue/wakeups.ts'
import type { Worker } from '../queue/worker.ts'
import type { Log } from '../values/log.ts'
import { forgetCells } from './rows/row-store.ts'

export const FORGET_QUEUE = 'contacts:forget-column'

/** Rows cleared in one transaction. */
const ROWS = 2_000

/** Clears the cells of deleted columns. */
export function startForgetColumns(deps: { db: Db; wakeups: Wakeups; log: Log }): Worker {
  return startSlicedJobs(deps, { queue: FORGET_QUEUE, limit: 1 }, (job) => forgetColumn(deps.db, job))
}

async function* forgetColumn(db: Db, { organisation_id, subject_key }: Job): JobSteps {
  while ((await forgetCells(db, organisation_id, Number(subject_key), ROWS)) > 0) yield
  return 'done'
}
