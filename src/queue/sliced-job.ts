import type { Db } from '../db/connect.ts'
import type { Log } from '../values/log.ts'
import { finish, postpone, type Job } from './store.ts'
import type { Wakeups } from './wakeups.ts'
import { startWorker, type Worker } from './worker.ts'

/** How long a job runs before it is requeued: other jobs of the queue get to run, and a shutdown does not wait long. */
const SLICE_MS = 1_500

/**
 * The steps of a long job. It yields after each step, whose progress it has stored: a job that is requeued, or whose
 * process dies, resumes behind the last stored step. It returns `done`, or the milliseconds after which to run again.
 */
export type JobSteps = AsyncGenerator<void, 'done' | number, void>

/** Starts a worker for jobs that take longer than a time slice, such as an import or a campaign. */
export function startSlicedJobs(
  deps: { db: Db; wakeups: Wakeups; log: Log },
  { queue, limit }: { queue: string; limit: number },
  steps: (job: Job) => JobSteps,
): Worker {
  async function runSlice(job: Job): Promise<void> {
    const until = Date.now() + SLICE_MS
    const running = steps(job)
    for (;;) {
      const next = await running.next()
      if (next.done) {
        if (next.value === 'done') return finish(deps.db, [job])
        if (next.value > 0) return postpone(deps.db, [job], next.value)
        break
      }
      if (Date.now() >= until) break
    }
    await postpone(deps.db, [job], 0)
    deps.wakeups.wake(queue, 0, job.organisation_id)
  }

  return startWorker(deps, {
    queue,
    limit,
    batch: 1,
    work: async (jobs) => {
      for (const job of jobs) await runSlice(job)
    },
  })
}
