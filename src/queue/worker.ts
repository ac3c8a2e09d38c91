import { isDatabaseAway } from '../db/away.ts'
import type { Db } from '../db/connect.ts'
import type { Log } from '../values/log.ts'
import { claim, keep, openBucket, postpone, returnTokens, takeTokens, type Job } from './store.ts'
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

type Deps = { db: Db; wakeups: Wakeups; log: Log }

/** The safety net: wake-ups make work start at once, this finds what a lost wake-up or a lease left behind. */
const POLL_MS = 500
/** A claimed job is due again after this time unless its worker lives and keeps it: the crash of one costs this. */
const LEASE_S = 10
const KEEP_EVERY_MS = (LEASE_S * 1_000) / 3
/**
 * After a claim that found something the next waits this long. An idle queue starts at once; a busy one collects, because
 * a claim of three hundred jobs costs hardly more than a claim of ten.
 */
const COLLECT_MS = 50
const LONGEST_BACK_OFF_MS = 60_000
const FIRST_LANE = '00000000-0000-0000-0000-000000000000'

export function startWorker(deps: Deps, options: WorkerOptions): Worker {
  const { queue, limit, rate_per_s } = options
  const lanes_in_hand = new Map<string, number>()
  const jobs_in_hand = new Map<bigint, number>()
  let total = 0
  let running = true
  let last_lane = FIRST_LANE
  let rouse = nobodyNaps
  let roused = false

  const unsubscribe = deps.wakeups.onWake(queue, wake)
  const keeper = setInterval(keepLeases, KEEP_EVERY_MS)
  const finished = loop()

  function wake(): void {
    roused = true
    rouse()
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
    if (room <= 0) return 0
    const allowed = rate_per_s === undefined ? room : await takeTokens(deps.db, queue, rate_per_s, room)
    if (allowed === 0) return 0
    const wanted = { queue, limit: allowed, lease_s: LEASE_S, ...laneLimits(), after: last_lane }
    const jobs = await claim(deps.db, wanted)
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

  function laneLimits(): { except: string[]; per_lane: number | undefined } {
    const { lanes } = options
    if (!lanes) return { except: [], per_lane: undefined }
    const busy = [...lanes_in_hand].filter(([lane, count]) => count >= lanes.limit(lane))
    return { except: busy.map(([lane]) => lane), per_lane: lanes.step }
  }

  function start(jobs: Job[]): void {
    const open = new Set(jobs)
    count(jobs, 1)
    const done = (job: Job): void => {
      if (!open.delete(job)) return
      count([job], -1)
      wake()
    }
    void carryOut(jobs, done).finally(() => {
      count([...open], -1)
      wake()
    })
  }

  function count(jobs: readonly Job[], step: 1 | -1): void {
    total += step * jobs.length
    for (const { id, lane } of jobs) {
      const left = (lanes_in_hand.get(lane) ?? 0) + step
      if (left > 0) lanes_in_hand.set(lane, left)
      else lanes_in_hand.delete(lane)
      if (step === 1) jobs_in_hand.set(id, Date.now())
      else jobs_in_hand.delete(id)
    }
  }

  async function carryOut(jobs: Job[], done: (job: Job) => void): Promise<void> {
    try {
      await options.work(jobs, done)
    } catch (fault) {
      if (jobs.length > 1 && !isDatabaseAway(fault)) {
        // One bad job must not take its neighbours along: each is tried alone.
        for (const job of jobs) await carryOut([job], done)
        return
      }
      deps.log.error({ queue, err: fault, attempts: jobs[0]?.attempts }, 'a job failed')
      const delay_ms = Math.min(LONGEST_BACK_OFF_MS, 500 * 2 ** Math.min(10, jobs[0]?.attempts ?? 0))
      await postpone(
        deps.db,
        jobs.map(({ id }) => id),
        delay_ms,
      ).catch(() => {}) // then the lease gives them back
    }
  }

  return {
    async stop() {
      running = false
      unsubscribe()
      wake()
      await finished
      while (total > 0) await nap()
      clearInterval(keeper)
    },
  }
}
