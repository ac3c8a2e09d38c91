import type { Db } from '../../db/connect.ts'
import { finish, type Job } from '../../queue/store.ts'
import { startWorker, type Worker } from '../../queue/worker.ts'
import { groupBy } from '../../values/group.ts'
import type { Log } from '../../values/log.ts'
import type { Seal } from '../../values/secrets/seal.ts'
import { unansweredBy } from './submit.ts'
import { makeRecorder, type Recorder } from './record.ts'
import type { DispatchTarget } from './target.ts'
import { readQueued, type QueuedDelivery } from './store.ts'
import { sortTurn } from './prepare.ts'
import type { SettleDeps } from '../settle/settle.ts'

export type DispatchDeps = SettleDeps & { db: Db; log: Log; seal: Seal }

/** Batches with a carrier at once: while one is written down, the next is handed over. */
const BATCHES = 2

/** Hands the messages of a queue to a carrier and writes down what the carrier said. */
export function startRetryWorker(deps: DispatchDeps, target: DispatchTarget & { room?: () => number }): Worker {
  const { carrier } = target
  const recorder = makeRecorder(deps, target)
  return startWorker(deps, {
    queue: target.queue,
    limit: carrier.limit ?? BATCHES * carrier.batch,
    batch: carrier.batch,
    rate_per_s: target.rate_per_s,
    room: target.room ?? carrier.room?.bind(carrier),
    work: (jobs, done) => dispatch(deps, target, recorder, jobs, done),
  })
}

/**
 * Once a message is with the carrier nothing here may fail: the queue would hand it over again. So the recorder does
 * not fail; what it cannot write keeps its lease until that ends, and comes back as interrupted.
 */
async function dispatch(
  deps: DispatchDeps,
  target: DispatchTarget,
  recorder: Recorder,
  jobs: Job[],
  done: (job: Job) => void,
): Promise<void> {
  const { loads, gone } = await load(deps.db, jobs)
  await finish(deps.db, gone)
  const sorted = loads.map((one) => {
    const { attempts: attempt, interrupted } = one.job
    return { ...one, ...sortTurn(deps, target, { ...one.queued, attempt, interrupted }) }
  })
  await recorder.all(sorted.flatMap(({ job, queued, outcome }) => (outcome ? [{ job, ...queued, outcome }] : [])))

  const ready = sorted.flatMap(({ job, queued, message }) => (message ? [{ job, queued, message }] : []))
  if (ready.length === 0) return
  const answers = target.carrier.submit(ready.map(({ message }) => message))
  if (Array.isArray(answers)) {
    await Promise.all(
      ready.map(async ({ job, queued }, n) => {
        const outcome = await answers[n]?.catch((fault: unknown) => {
          deps.log.error({ queue: target.queue, err: fault }, 'a carrier failed with a message')
          return unansweredBy(target.carrier)
        })
        if (outcome) await recorder.one({ job, ...queued, outcome })
        done(job)
      }),
    )
  } else {
    const outcomes = await answers
    await recorder.all(
      ready.flatMap(({ job, queued }, n) => (outcomes[n] ? [{ job, ...queued, outcome: outcomes[n] }] : [])),
    )
  }
}

type Queued = QueuedDelivery & { organisation_id: string }
type Load = { job: Job; queued: Queued }

/** The messages behind the jobs; `gone` are jobs whose delivery needs nothing any more. */
async function load(db: Db, jobs: readonly Job[]): Promise<{ loads: Load[]; gone: Job[] }> {
  const queued = new Map<string, Load['queued']>()
  await Promise.all(
    [...groupBy(jobs, (job) => job.organisation_id)].map(async ([organisation_id, own]) => {
      const wanted = own.map(({ subject_id, subject_key }) => ({ message_id: subject_id, recipient: subject_key }))
      for (const row of await readQueued(db, organisation_id, wanted)) {
        queued.set(`${row.message_id} ${row.recipient}`, { ...row, organisation_id })
      }
    }),
  )
  const loads: Load[] = []
  const gone: Job[] = []
  for (const job of jobs) {
    const found = queued.get(`${job.subject_id} ${job.subject_key}`)
    if (found) loads.push({ job, queued: found })
    else gone.push(job)
  }
  return { loads, gone }
}
