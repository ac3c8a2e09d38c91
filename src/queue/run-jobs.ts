import type { Db } from '../db/connect.ts'
import { isDatabaseUnreachable } from '../db/unreachable.ts'
import type { Log } from '../values/log.ts'
import { postponeEach, type Job, type JobTable } from './store.ts'

export type JobRunner = {
  queue: string
  table?: JobTable
  /**
   * Processes the jobs, and finishes or postpones each in its own statement. `done` releases the capacity of one job
   * before the slowest of its batch ends.
   */
  work: (jobs: Job[], done: (job: Job) => void) => Promise<void>
}

const FIRST_BACK_OFF_MS = 500
const LONGEST_BACK_OFF_MS = 60_000
/** An outage of the database is no fault of the job: after any number of them it is retried soon. */
const LONGEST_AFTER_OUTAGE_MS = 4_000
/** How long to wait for the database before a job is left to the expiry of its lease; a stopping worker waits as long. */
const PATIENCE_MS = 1_500
const RETRY_MS = 200

/** Processes jobs and never fails: a failed batch is run job by job, and a failed job is postponed. */
export async function runJobs(
  deps: { db: Db; log: Log },
  options: JobRunner,
  jobs: Job[],
  done: (job: Job) => void,
): Promise<void> {
  try {
    await options.work(jobs, done)
  } catch (fault) {
    if (jobs.length > 1 && !isDatabaseUnreachable(fault)) {
      for (const job of jobs) await runJobs(deps, options, [job], done)
      return
    }
    deps.log.error({ queue: options.queue, err: fault, attempts: jobs[0]?.attempts }, 'a job failed')
    await postponeFailed(deps.db, options.table, jobs, backOffMs(jobs[0]?.attempts ?? 0, isDatabaseUnreachable(fault)))
  }
}

/** A job that cannot be postponed is claimed again after its lease. */
async function postponeFailed(
  db: Db,
  table: JobTable | undefined,
  jobs: readonly Job[],
  delay_ms: number,
): Promise<void> {
  for (const began = performance.now(); ;) {
    try {
      const postponed = jobs.map(({ id, organisation_id, attempts }) => ({ id, organisation_id, attempts, delay_ms }))
      return await postponeEach(db, postponed, table)
    } catch (fault) {
      if (!isDatabaseUnreachable(fault) || performance.now() - began > PATIENCE_MS) return
    }
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
  }
}

/** Delay before the next attempt of a job that failed this many times. */
export function backOffMs(attempts: number, is_outage: boolean): number {
  const longest_ms = is_outage ? LONGEST_AFTER_OUTAGE_MS : LONGEST_BACK_OFF_MS
  return Math.min(longest_ms, FIRST_BACK_OFF_MS * 2 ** Math.min(10, attempts))
}
