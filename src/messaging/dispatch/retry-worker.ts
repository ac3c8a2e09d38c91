import type { Db } from '../../db/connect.ts'
import { finish, postponeEach, releaseJobs, type Job } from '../../queue/store.ts'
import { startWorker, type Worker } from '../../queue/worker.ts'
import { groupBy } from '../../values/group.ts'
import type { Seal } from '../../values/secrets/seal.ts'
import { settle } from '../settle/settle.ts'
import { makeRecorder, type DeliverySource, type Entries, type RecorderDeps } from './recorder.ts'
import {
  moveToNext,
  notePossibleCarriers,
  readQueued,
  recordSubmitted,
  recordTaken,
  type QueuedDelivery,
} from './store.ts'
import { routeOf } from './queues.ts'
import { makeSubmit } from './submit.ts'
import { capacityOf, inFlightLimit, type DispatchTarget } from './target.ts'
import type { Sent, Unsent } from '../submission.ts'

export type DispatchDeps = RecorderDeps & { seal: Seal }

/** A queued delivery, with the job that leases it. */
export type RetriedDelivery = QueuedDelivery & { organisation_id: string; job: Job }

/** Submits deliveries that have a job: retries, failovers, and scheduled messages that are due. */
export function startRetryWorker(deps: DispatchDeps, target: DispatchTarget): Worker {
  const source = retries(deps, target)
  const { record } = makeRecorder(deps, { ...target, route: routeOf(target.queue) }, source)
  return startWorker(deps, {
    queue: target.queue,
    limit: inFlightLimit(target),
    batch: target.carrier.batch,
    rate_per_s: target.rate_per_s,
    capacity: () => capacityOf(target) ?? Infinity,
    async work(jobs, done) {
      const { deliveries, gone } = await load(deps.db, jobs)
      await finish(deps.db, gone)
      // From here on nothing fails: the worker would submit the jobs again.
      const submit = makeSubmit<RetriedDelivery>(deps, target, source.attemptOf, async (delivery, outcome) => {
        await record(target, delivery, outcome)
        done(delivery.job)
      })
      await submit(deliveries)
    },
  })
}

/** The deliveries behind the jobs; `gone`: jobs whose delivery is not queued any more. */
async function load(db: Db, jobs: readonly Job[]): Promise<{ deliveries: RetriedDelivery[]; gone: Job[] }> {
  const queued = new Map<string, QueuedDelivery>()
  await Promise.all(
    [...groupBy(jobs, (job) => job.organisation_id)].map(async ([organisation_id, own]) => {
      const wanted = own.map(({ subject_id, subject_key }) => ({ message_id: subject_id, recipient: subject_key }))
      for (const row of await readQueued(db, organisation_id, wanted)) {
        queued.set(`${row.message_id} ${row.recipient}`, row)
      }
    }),
  )
  const deliveries: RetriedDelivery[] = []
  const gone: Job[] = []
  for (const job of jobs) {
    const found = queued.get(`${job.subject_id} ${job.subject_key}`)
    if (found) deliveries.push({ ...found, organisation_id: job.organisation_id, job })
    else gone.push(job)
  }
  return { deliveries, gone }
}

/** Deliveries that are stored already: their outcome updates them, and ends or releases their job. */
export function retries(deps: RecorderDeps, target: DispatchTarget): DeliverySource<RetriedDelivery> {
  return {
    organisationOf: ({ organisation_id }) => organisation_id,
    attemptOf: (delivery) => ({
      ...delivery,
      attempt: delivery.job.attempts,
      interrupted: delivery.job.interrupted,
    }),
    stepOf: (delivery) => delivery,
    store: (organisation_id, entries) => store(deps, target, organisation_id, entries),
    storeSent: (sent) => recordSubmitted(deps.db, target.carrier.name, sent.map(submittedOf)),
  }
}

async function store(
  deps: RecorderDeps,
  { carrier }: DispatchTarget,
  organisation_id: string,
  { sent, unsent, taken }: Entries<RetriedDelivery>,
): Promise<void> {
  const { db } = deps
  const queued = unsent.filter(({ end }) => !end)
  const retried = queued.filter(({ attempts }) => attempts !== undefined)
  const moved = queued.filter(({ tried }) => tried !== undefined)
  const held = queued.filter(({ attempts, tried }) => attempts === undefined && tried === undefined)
  const ended = unsent.filter(({ end }) => end)
  // Before another worker can claim them.
  await notePossibleCarriers(
    db,
    organisation_id,
    queued.flatMap(({ delivery: { message_id, recipient }, possible_carrier }) =>
      possible_carrier === undefined ? [] : [{ message_id, recipient, possible_carrier }],
    ),
  )
  await Promise.all([
    recordSubmitted(db, carrier.name, sent.map(submittedOf)),
    recordTaken(db, organisation_id, taken),
    ...[...groupBy(moved, ({ queue = '' }) => queue)].map(([queue, own]) =>
      moveToNext(
        db,
        organisation_id,
        carrier.name,
        queue,
        own.map(({ delivery }) => delivery.job.id),
      ),
    ),
    postponeEach(
      db,
      retried.map(({ delivery: { job }, delay_ms = 0 }) => ({ ...keyOf(job), delay_ms, attempts: job.attempts })),
    ),
    releaseJobs(
      db,
      held.map(({ delivery: { job }, delay_ms }) => ({ ...job, delay_ms })),
    ),
  ])
  if (ended.length === 0) return
  await settle(deps, organisation_id, ended.flatMap(changeOf), (tx) =>
    finish(
      tx,
      ended.map(({ delivery }) => delivery.job),
    ),
  )
}

function submittedOf({ delivery, ids, report_due_s, cost }: Sent<RetriedDelivery>) {
  const { organisation_id, job, message_id, recipient } = delivery
  return { organisation_id, job_id: job.id, message_id, recipient, ids, report_due_s, cost }
}

function keyOf({ id, organisation_id }: Job) {
  return { id, organisation_id }
}

function changeOf({ delivery: { message_id, recipient }, end }: Unsent<RetriedDelivery>) {
  return end ? [{ message_id, recipient, ...end }] : []
}
