import type { Db } from '../db/connect.ts'
import { isDatabaseUnreachable } from '../db/unreachable.ts'
import type { Log } from '../values/log.ts'
import { postponeEach, type Job } from './store.ts'
import type { WorkerOptions } from './worker-options.ts'

const FIRST_BACK_OFF_MS = 500
const LONGEST_BACK_OFF_MS = 60_000
/** That the database was away is no fault of the job's: however often that was, it is tried again soon. */
const LONGEST_AFTER_OUTAGE_MS = 4_000
/** So long is waited for the database before a job is left to the end of its lease; whoever stops waits as long. */
const PATIENCE_MS = 1_500
const ASK_EVERY_MS = 200

/** Never fails: jobs that cannot be carried out come back after a pause. */
export async function runJobs(
  deps: { db: Db; log: Log },
  options: Pick<WorkerOptions, 'queue' | 'table' | 'work'>,
  jobs: Job[],
  done: (job: Job) => void,
): Promise<void> {
  try {
    await options.work(jobs, done)
  } catch (fault) {
    if (jobs.length > 1 && !isDatabaseUnreachable(fault)) {
      // One bad job must not take its neighbours along: each is tried alone.
      for (const job of jobs) await runJobs(deps, options, [job], done)
      return
    }
    deps.log.error({ queue: options.queue, err: fault, attempts: jobs[0]?.attempts }, 'a job failed')
    await putOff(deps.db, options.table, jobs, backOffMs(jobs[0]?.attempts ?? 0, isDatabaseUnreachable(fault)))
  }
}

/** What cannot be put off is given back by its lease. */
async function putOff(db: Db, table: WorkerOptions['table'], jobs: readonly Job[], delay_ms: number): Promise<void> {
  for (const began = performance.now(); ;) {
    try {
      const postponed = jobs.map(({ id, organisation_id, attempts }) => ({ id, organisation_id, attempts, delay_ms }))
      return await postponeEach(db, postponed, table)
    } catch (fault) {
      if (!isDatabaseUnreachable(fault) || performance.now() - began > PATIENCE_MS) return
    }
    await new Promise((resolve) => setTimeout(resolve, ASK_EVERY_MS))
  }
}

export function backOffMs(attempts: number, is_outage: boolean): number {
  const longest_ms = is_outage ? LONGEST_AFTER_OUTAGE_MS : LONGEST_BACK_OFF_MS
  return Math.min(longest_ms, FIRST_BACK_OFF_MS * 2 ** Math.min(10, attempts))
}
