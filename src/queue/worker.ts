import { byLayout } from '../db/layout.ts'
import type { Db } from '../db/connect.ts'
import { groupBy } from '../values/group.ts'
import type { Log } from '../values/log.ts'
import { startClaimLoop } from './claim-loop.ts'
import { makeClusterClaim } from './cluster-claim.ts'
import { makeLaneCapacity, type LaneLimits, type LaneOf } from './lane-capacity.ts'
import { LEASE_S } from './leases.ts'
import { runJobs, type JobRunner } from './run-jobs.ts'
import { claimFrom, extendLeases, type Claim, type Job, type LanePosition } from './store.ts'
import type { Wakeups } from './wakeups.ts'

export type WorkerOptions = JobRunner & {
  /** Maximum number of jobs in flight. */
  limit: number
  /** Maximum number of jobs in one call of `work`; several calls may run concurrently while `limit` allows. */
  batch: number
  /** Without it, a single lane may use the whole limit. */
  lanes?: LaneLimits
  /** Jobs per second over all processes. */
  rate_per_s?: number | undefined
  /** Jobs that can be processed now, besides the limit; 0 pauses the queue. Without it: any number. */
  capacity?: (() => number) | undefined
}

export type Worker = {
  /** Claims nothing more and waits for the jobs in flight. */
  stop(): Promise<void>
}

/** A worker that also processes jobs which were stored as leased by this process, without a claim. */
export type ReservingWorker = Worker & {
  /** Reserves capacity for a job of the lane; false if there is none, or if earlier jobs of the lane are queued. */
  reserve(lane: LaneOf): boolean
  /** Starts the job the capacity was reserved for, stored with `leased` and a lease; undefined: releases the capacity. */
  startReserved(lane: LaneOf, job: Job | undefined): void
}

/**
 * Pause after a claim that found something. An idle queue is claimed immediately; on a busy one, a claim of three hundred
 * jobs costs hardly more than a claim of ten.
 */
const COLLECT_MS = 50
const FIRST_LANE = '00000000-0000-0000-0000-000000000000'

/** Claims jobs of a queue and processes them, until it is stopped (`claim-loop.ts`). */
export function startWorker(deps: { db: Db; wakeups: Wakeups; log: Log }, options: WorkerOptions): ReservingWorker {
  const { queue, table = 'jobs', limit, rate_per_s } = options
  const queue_db = deps.wakeups.db ?? deps.db
  const capacity = makeLaneCapacity(options)
  /** The last claim left jobs in the queue for lack of capacity. */
  let is_limited = false
  let last_lane = FIRST_LANE
  let from: LanePosition | undefined

  /** There a batch is of one organisation: if its node is unreachable, no other organisation's jobs are postponed. */
  const on_cluster =
    table === 'jobs'
      ? byLayout(deps.db, { single_server: () => undefined, cluster: makeClusterClaim })(deps, queue)
      : undefined
  const claimJobs = (wanted: Claim) => on_cluster?.claim(wanted) ?? claimFrom(queue_db, wanted)
  const freeCapacity = (): number => Math.min(limit - capacity.in_flight, options.capacity?.() ?? limit)

  const loop = startClaimLoop<Job>(
    { ...deps, db: queue_db },
    {
      queue,
      rate_per_s,
      topic: queue,
      demand() {
        const free = freeCapacity()
        is_limited = free <= 0 || rate_per_s !== undefined // until the claim, which a rate without tokens prevents
        return capacity.claimable(free)
      },
      claim,
      pauseMs: (started) => (started === 0 ? undefined : started < limit ? COLLECT_MS : 0),
      inFlight: () => capacity.in_flight,
      renew: (jobs) => extendLeases(queue_db, jobs, LEASE_S, table),
    },
  )

  async function claim(budget: number, started: (jobs: number) => void): Promise<void> {
    const excluded = capacity.excluded()
    is_limited = excluded.except.length > 0 || excluded.except_organisations.length > 0
    const free = freeCapacity()
    const { jobs, ended_at } = await claimJobs({
      ...excluded,
      queue,
      table,
      limit: budget,
      lease_s: LEASE_S,
      after: last_lane,
      from,
    })
    if (jobs.length < budget && !from && !ended_at) capacity.noteClaimed(jobs, excluded)
    is_limited ||= jobs.length === budget && capacity.claimable(free) < free
    from = ended_at
    last_lane = jobs.at(-1)?.lane ?? FIRST_LANE
    const fresh = jobs.filter((job) => !isHeldHere(job))
    for (const own of on_cluster ? groupBy(fresh, ({ organisation_id }) => organisation_id).values() : [fresh]) {
      for (let n = 0; n < own.length; n += options.batch) start(own.slice(n, n + options.batch))
    }
    started(fresh.length)
  }

  /** The job's lease expired while the database was unreachable, but it is still in flight here: this claim renews it. */
  function isHeldHere({ id, attempts, interrupted }: Job): boolean {
    const held = interrupted ? loop.leases.find((job) => job.id === id) : undefined
    if (held) held.attempts = attempts
    return held !== undefined
  }

  function start(jobs: Job[]): void {
    const open = new Set(jobs)
    for (const job of jobs) {
      capacity.count(job, 1)
      loop.leases.add(job)
    }
    const done = (job: Job): void => {
      if (!open.delete(job)) return
      capacity.count(job, -1)
      loop.leases.release(job)
      if (is_limited || loop.state === 'draining') loop.wakeSoon()
    }
    void runJobs(deps, options, jobs, done).finally(() => {
      for (const job of open) done(job)
    })
  }

  return {
    reserve: (lane) => loop.state !== 'draining' && capacity.reserve(lane),
    startReserved(lane, job) {
      capacity.count(lane, -1)
      if (job) start([job])
      else if (is_limited || loop.state === 'draining') loop.wakeSoon()
    },
    async stop() {
      on_cluster?.close()
      await loop.stop()
    },
  }
}
