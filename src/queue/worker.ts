import type { Db } from '../db/connect.ts'
import { groupBy } from '../values/group.ts'
import type { Log } from '../values/log.ts'
import { runJobs } from './run-jobs.ts'
import { makeClusterClaim } from './cluster-claim.ts'
import { makeLaneCapacity } from './lane-capacity.ts'
import { makeIdleWait } from './idle-wait.ts'
import { openBucket, returnTokens, takeTokens } from './rate-store.ts'
import { claimFrom, keep, type Claim, type Job, type LanePlace } from './store.ts'
import type { Wakeups } from './wakeups.ts'
import type { Place, WorkerOptions } from './worker-options.ts'

export type Worker = {
  /** Claims nothing more and waits for what is in hand. */
  stop(): Promise<void>
}

/** A worker that also takes jobs which were put in line as its own, so that nobody has to claim them. */
export type ReservingWorker = Worker & {
  /** Keeps a place for a job of the lane; false when there is none, or when jobs of the lane wait that came before. */
  reserve(place: Place): boolean
  /** The job that a place was kept for, stored with `in_hand` and a lease; without one the place is given up. */
  startReserved(place: Place, job: Job | undefined): void
}

type Deps = { db: Db; wakeups: Wakeups; log: Log }

/** The safety net: wake-ups make work start at once, this finds what a lost wake-up or a lease left behind. */
const POLL_MS = 500
/** A claimed job is due again after this time unless its worker lives and keeps it: the crash of one costs this. */
export const LEASE_S = 10
const KEEP_EVERY_MS = (LEASE_S * 1_000) / 3
/**
 * After a claim that found something the next waits this long. An idle queue starts at once; a busy one collects, because
 * a claim of three hundred jobs costs hardly more than a claim of ten.
 */
const COLLECT_MS = 50
/** What was held back for lack of room is claimed so long after some was made: one claim for all that ends meanwhile. */
const AFTER_DONE_MS = 10
const FIRST_LANE = '00000000-0000-0000-0000-000000000000'

/**
 * Claims jobs of a queue and carries them out, until it is stopped. It looks when it is woken, after what it has done has
 * made room, and now and then.
 */
export function startWorker(deps: Deps, options: WorkerOptions): ReservingWorker {
  const { queue, table = 'jobs', limit, rate_per_s } = options
  const in_hand = makeLaneCapacity(options)
  const since = new Map<Job, number>()
  const idle = makeIdleWait()
  let held_back = false
  let later: NodeJS.Timeout | undefined
  let running = true
  let last_lane = FIRST_LANE
  let from: LanePlace | undefined

  /** There a batch is of one organisation: if its node is away, nobody else's jobs are put off with it. */
  const on_cluster = deps.db.distributed && table === 'jobs' ? makeClusterClaim(deps, queue) : undefined
  const claimJobs = (claim: Claim) => on_cluster?.claim(claim) ?? claimFrom(deps.db, claim)
  const unsubscribe = deps.wakeups.onWake(queue, idle.wake)
  const keeper = setInterval(keepLeases, KEEP_EVERY_MS)
  const finished = loop()

  /** After something is done; nothing to do about it unless the last claim had to leave something. */
  function wakeLater(): void {
    if (!running) return idle.wake()
    if (!held_back) return
    later ??= setTimeout(() => {
      later = undefined
      idle.wake()
    }, AFTER_DONE_MS)
  }

  async function loop(): Promise<void> {
    let ready = rate_per_s === undefined
    while (running) {
      idle.reset()
      let found = 0
      try {
        if (!ready) {
          await openBucket(deps.db, queue, rate_per_s ?? 0)
          ready = true
        }
        found = await claimAndStart()
      } catch (fault) {
        if (running) deps.log.warn({ queue, err: fault }, 'claiming jobs failed')
      }
      if (found > 0) await rest(found < limit ? COLLECT_MS : 0)
      else if (running) await idle.wait(POLL_MS)
    }
  }

  /** Not disturbed by wake-ups: what they announce is collected meanwhile. */
  function rest(ms: number): Promise<void> {
    return ms === 0 || !running ? Promise.resolve() : new Promise((resolve) => setTimeout(resolve, ms))
  }

  async function claimAndStart(): Promise<number> {
    const room = Math.min(limit - in_hand.total, options.room?.() ?? limit)
    held_back = room <= 0
    if (room <= 0) return 0
    // Who shares takes half of what is free, so that a claim alone cannot leave nothing for the next.
    const wanted = options.lanes?.many_per_organisation ? Math.ceil(room / 2) : room
    const allowed = rate_per_s === undefined ? wanted : await takeTokens(deps.db, queue, rate_per_s, wanted)
    held_back = allowed === 0
    if (allowed === 0) return 0
    const passed_over = in_hand.passedOver()
    held_back = passed_over.except.length > 0 || passed_over.except_organisations.length > 0
    const claim = { queue, table, limit: allowed, lease_s: LEASE_S, ...passed_over, after: last_lane, from }
    const { jobs, ended_at } = await claimJobs(claim)
    if (jobs.length < allowed && !from && !ended_at) in_hand.noteEmpty(jobs, passed_over)
    held_back ||= jobs.length === allowed && wanted < room
    from = ended_at
    last_lane = jobs.at(-1)?.lane ?? FIRST_LANE
    const fresh = jobs.filter((job) => !isOurs(job))
    for (const own of on_cluster ? groupBy(fresh, ({ organisation_id }) => organisation_id).values() : [fresh]) {
      for (let n = 0; n < own.length; n += options.batch) start(own.slice(n, n + options.batch))
    }
    if (rate_per_s !== undefined && fresh.length < allowed) {
      await returnTokens(deps.db, queue, allowed - fresh.length)
    }
    return jobs.length
  }

  /** Its lease ended while the database was away, and it is in hand here still: this claim only keeps it for us. */
  function isOurs({ id, attempts, interrupted }: Job): boolean {
    const held = interrupted && [...since.keys()].find((job) => job.id === id)
    if (held) held.attempts = attempts
    return Boolean(held)
  }

  /** Work that takes longer than a lease keeps its jobs; most work is done before the first of these. */
  function keepLeases(): void {
    const slow = [...since].filter(([, begun]) => Date.now() - begun > KEEP_EVERY_MS / 2).map(([job]) => job)
    keep(deps.db, slow, LEASE_S, table).catch((fault: unknown) => {
      deps.log.warn({ queue, err: fault }, 'keeping jobs failed')
    })
  }

  function start(jobs: Job[]): void {
    const open = new Set(jobs)
    for (const job of jobs) {
      in_hand.count(job, 1)
      since.set(job, Date.now())
    }
    const done = (job: Job): void => {
      if (!open.delete(job)) return
      in_hand.count(job, -1)
      since.delete(job)
      wakeLater()
    }
    void runJobs(deps, options, jobs, done).finally(() => {
      for (const job of open) done(job)
    })
  }

  return {
    reserve: (place) => running && in_hand.reserve(place),
    startReserved(place, job) {
      in_hand.count(place, -1)
      if (job) start([job])
    },
    async stop() {
      running = false
      unsubscribe()
      on_cluster?.close()
      clearTimeout(later)
      idle.wake()
      await finished
      for (idle.reset(); in_hand.total > 0; idle.reset()) await idle.wait(POLL_MS)
      clearInterval(keeper)
    },
  }
}
