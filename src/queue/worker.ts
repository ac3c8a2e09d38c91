import { isDatabaseUnreachable } from '../db/unreachable.ts'
import type { Db } from '../db/connect.ts'
import type { Log } from '../values/log.ts'
import {
  claimFrom,
  keep,
  openBucket,
  postponeEach,
  returnTokens,
  takeTokens,
  type Claim,
  type Job,
  type LanePlace,
} from './store.ts'
import type { Wakeups } from './wakeups.ts'

export type WorkerOptions = {
  queue: string
  /** Jobs in hand at most. */
  limit: number
  /** Jobs handed to one call of `work`; several calls may run at once while `limit` allows. */
  batch: number
  /** Without it a lane may fill the limit when it is alone. */
  lanes?: {
    /** A lane with this many in hand is passed over. */
    limit: (lane: string) => number
    /** Jobs of one lane that one claim may take. */
    step: number
    /**
     * An organisation may have any number of lanes. In all of them it gets at most as many as are left for others: so
     * at most half of the limit, and who comes new finds room.
     */
    many_per_organisation?: boolean
  }
  /** Jobs per second over all processes. */
  rate_per_s?: number | undefined
  /** Jobs there is room for at present, beside the limit; at 0 the queue is left alone. Without it: any number. */
  room?: (() => number) | undefined
  /**
   * Carries the jobs out, and finishes or postpones each in its own statement. What is `done` makes room at once, before
   * the slowest of its batch is.
   */
  work: (jobs: Job[], done: (job: Job) => void) => Promise<void>
}

/** Nothing to interrupt. */
function nobodyNaps(): void {}

export type Worker = {
  /** Claims nothing more and waits for what is in hand. */
  stop(): Promise<void>
}

/** A worker that also takes jobs which were put in line as its own, so that nobody has to claim them. */
export type TakingWorker = Worker & {
  /** Keeps a place for a job of the lane; false when there is none, or when jobs of the lane wait that came before. */
  reserve(place: Place): boolean
  /** The job that a place was kept for, stored with `in_hand` and a lease; without one the place is given up. */
  take(place: Place, job: Job | undefined): void
}

/** Whose job it is. */
export type Place = { organisation_id: string; lane: string }

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
const LONGEST_BACK_OFF_MS = 60_000
const FIRST_LANE = '00000000-0000-0000-0000-000000000000'

export function startWorker(deps: Deps, options: WorkerOptions): TakingWorker {
  const { queue, limit, rate_per_s } = options
  const lanes_in_hand = new Map<string, number>()
  const organisations_in_hand = new Map<string, number>()
  const jobs_in_hand = new Map<bigint, number>()
  /** Lanes of which something waits, as far as is known; before the first claim, of all. */
  const behind = new Map<string, Place>()
  let looked = false
  let total = 0
  let held_back = false
  let later: NodeJS.Timeout | undefined
  let running = true
  let last_lane = FIRST_LANE
  let from: LanePlace | undefined
  let rouse = nobodyNaps
  let roused = false

  const unsubscribe = deps.wakeups.onWake(queue, wake)
  const keeper = setInterval(keepLeases, KEEP_EVERY_MS)
  const finished = loop()

  function wake(): void {
    roused = true
    rouse()
  }

  /** After something is done; nothing to do about it unless the last claim had to leave something. */
  function wakeLater(): void {
    if (!running) return wake()
    if (!held_back) return
    later ??= setTimeout(() => {
      later = undefined
      wake()
    }, AFTER_DONE_MS)
  }

  async function loop(): Promise<void> {
    let ready = rate_per_s === undefined
    while (running) {
      roused = false
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
      else if (!roused && running) await nap()
    }
  }

  /** Not disturbed by wake-ups: what they announce is collected meanwhile. */
  function rest(ms: number): Promise<void> {
    return ms === 0 || !running ? Promise.resolve() : new Promise((resolve) => setTimeout(resolve, ms))
  }

  function nap(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, POLL_MS)
      rouse = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  async function claimAndStart(): Promise<number> {
    const room = Math.min(limit - total, options.room?.() ?? limit)
    held_back = room <= 0
    if (room <= 0) return 0
    // Who shares takes half of what is free, so that a claim alone cannot leave nothing for the next.
    const wish = options.lanes?.many_per_organisation ? Math.ceil(room / 2) : room
    const allowed = rate_per_s === undefined ? wish : await takeTokens(deps.db, queue, rate_per_s, wish)
    held_back = allowed === 0
    if (allowed === 0) return 0
    const passed_over = laneLimits()
    held_back = passed_over.except.length > 0 || passed_over.except_organisations.length > 0
    const wanted = { queue, limit: allowed, lease_s: LEASE_S, ...passed_over, after: last_lane, from }
    const { jobs, ended_at } = await claimFrom(deps.db, wanted)
    if (jobs.length < allowed && !from && !ended_at) noteEmpty(jobs, passed_over)
    held_back ||= jobs.length === allowed && wish < room
    from = ended_at
    if (rate_per_s !== undefined && jobs.length < allowed) {
      await returnTokens(deps.db, queue, allowed - jobs.length)
    }
    last_lane = jobs.at(-1)?.lane ?? FIRST_LANE
    for (let from = 0; from < jobs.length; from += options.batch) start(jobs.slice(from, from + options.batch))
    return jobs.length
  }

  /** Work that takes longer than a lease keeps its jobs; most work is done before the first of these. */
  function keepLeases(): void {
    const slow = [...jobs_in_hand].filter(([, since]) => Date.now() - since > KEEP_EVERY_MS / 2).map(([id]) => id)
    keep(deps.db, slow, LEASE_S).catch((fault: unknown) => {
      deps.log.warn({ queue, err: fault }, 'keeping jobs failed')
    })
  }

  function laneLimits(): PassedOver {
    const { lanes } = options
    if (!lanes) return { except: [], except_organisations: [], per_lane: undefined }
    const busy = [...lanes_in_hand].filter(([lane, count]) => count >= lanes.limit(lane))
    return {
      except: busy.map(([lane]) => lane),
      except_organisations: [...organisations_in_hand.keys()].filter((id) => !hasShare(id)),
      per_lane: lanes.step,
    }
  }

  function hasShare(organisation_id: string): boolean {
    if (!options.lanes?.many_per_organisation) return true
    return (organisations_in_hand.get(organisation_id) ?? 0) < limit - total
  }

  /** A claim that found less than it might have has left nothing, but in lanes that it passed over or cut short. */
  function noteEmpty(jobs: readonly Job[], { except, except_organisations, per_lane = Infinity }: PassedOver): void {
    looked = true
    const found = new Map<string, number>()
    for (const { lane } of jobs) found.set(lane, (found.get(lane) ?? 0) + 1)
    const lanes = new Set(except)
    const organisations = new Set(except_organisations)
    for (const { lane, organisation_id } of behind.values()) {
      if (lanes.has(lane) || organisations.has(organisation_id)) continue
      if ((found.get(lane) ?? 0) < per_lane) behind.delete(lane)
    }
  }

  function reserve(place: Place): boolean {
    const { lane, organisation_id } = place
    if (!running || !looked || behind.has(lane)) return false
    const lane_limit = options.lanes?.limit(lane) ?? limit
    const free = total < limit && (lanes_in_hand.get(lane) ?? 0) < lane_limit && hasShare(organisation_id)
    if (free) count(place, 1)
    else behind.set(lane, { lane, organisation_id })
    return free
  }

  function take(place: Place, job: Job | undefined): void {
    count(place, -1)
    if (job) start([job])
  }

  function start(jobs: Job[]): void {
    const open = new Set(jobs)
    for (const job of jobs) {
      count(job, 1)
      jobs_in_hand.set(job.id, Date.now())
    }
    const done = (job: Job): void => {
      if (!open.delete(job)) return
      count(job, -1)
      jobs_in_hand.delete(job.id)
      wakeLater()
    }
    void carryOut(jobs, done).finally(() => {
      for (const job of open) done(job)
    })
  }

  function count({ lane, organisation_id }: Place, step: 1 | -1): void {
    total += step
    add(lanes_in_hand, lane, step)
    if (options.lanes?.many_per_organisation) add(organisations_in_hand, organisation_id, step)
  }

  async function carryOut(jobs: Job[], done: (job: Job) => void): Promise<void> {
    try {
      await options.work(jobs, done)
    } catch (fault) {
      if (jobs.length > 1 && !isDatabaseUnreachable(fault)) {
        // One bad job must not take its neighbours along: each is tried alone.
        for (const job of jobs) await carryOut([job], done)
        return
      }
      deps.log.error({ queue, err: fault, attempts: jobs[0]?.attempts }, 'a job failed')
      const delay_ms = Math.min(LONGEST_BACK_OFF_MS, 500 * 2 ** Math.min(10, jobs[0]?.attempts ?? 0))
      const later = jobs.map(({ id, attempts }) => ({ id, attempts, delay_ms }))
      await postponeEach(deps.db, later).catch(() => {}) // then the lease gives them back
    }
  }

  return {
    reserve,
    take,
    async stop() {
      running = false
      unsubscribe()
      clearTimeout(later)
      wake()
      await finished
      while (total > 0) await nap()
      clearInterval(keeper)
    },
  }
}

/** What a claim leaves in line: lanes and organisations that have enough, and what is more than a step of a lane. */
type PassedOver = Required<Pick<Claim, 'except' | 'except_organisations'>> & Pick<Claim, 'per_lane'>

function add(counts: Map<string, number>, key: string, step: 1 | -1): void {
  const left = (counts.get(key) ?? 0) + step
  if (left > 0) counts.set(key, left)
  else counts.delete(key)
}
