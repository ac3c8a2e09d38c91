import type { Db } from '../db/connect.ts'
import type { Log } from '../values/log.ts'
import { makeIdleWait } from './idle-wait.ts'
import { startLeases, type Leases } from './leases.ts'
import { openBucket, returnTokens, takeTokens } from './rate-store.ts'
import { IDLE_AFTER_MS, IDLE_INTERVAL_MS } from './poll.ts'
import type { Wakeups } from './wakeups.ts'

export type ClaimLoopOptions<T> = {
  /** Names the rate limit, and the loop in the log. */
  queue: string
  /** Claims per second over all processes. */
  rate_per_s?: number | undefined
  /** What wakes the loop; `onWake` gets the detail of the wake-up. */
  topic: string
  onWake?: (detail: string) => void
  /**
   * Runs every `interval_ms` while there is work, before a claim: finds work that no wake-up announced, and returns
   * whether any is pending. Without it the topic is a queue of jobs, which the wake-ups poll (`poll.ts`).
   */
  poll?: { interval_ms: number; find: () => Promise<boolean> }
  /** How many items to claim now; 0: nothing is pending, or there is no capacity. */
  demand(): number
  /** Claims and submits up to `budget` items. `started` counts them as they are submitted, also if it fails later. */
  claim(budget: number, started: (items: number) => void): Promise<void>
  /** How long to collect before the next claim; undefined: until a wake-up or the poll. */
  pauseMs(started: number): number | undefined
  /** Items that are submitted and not yet recorded. */
  inFlight(): number
  /** Extends the leases of these items. */
  renew: (items: T[]) => Promise<unknown>
}

export type ClaimLoop<T> = {
  readonly state: State
  leases: Leases<T>
  wake(): void
  /** Wakes the loop after `FILL_MS`, so that one claim serves all capacity that is released meanwhile. */
  wakeSoon(): void
  stop(): Promise<void>
}

type State = 'idle' | 'claiming' | 'collecting' | 'draining'

/** Pause after a failed claim. */
const RETRY_MS = 500
/** How long capacity is collected before the next claim, when one was refused for lack of it. */
const FILL_MS = 10

/**
 * The loop under every worker of this process: claims leased items, submits them, and keeps their leases until their
 * outcome is recorded.
 *
 * - `idle`: nothing to claim, or no capacity. Ends with a wake-up or the next poll (the fallback for a lost wake-up).
 * - `claiming`: a poll, or one claim and its submissions, is in progress; there is never a second one.
 * - `collecting`: a claim has found something; the next one waits, undisturbed by wake-ups, so that it finds more.
 * - `draining`: `stop()` was called. Nothing is claimed any more; ends when nothing is in flight.
 *
 * Submitted items are recorded beside the loop: idle → claiming → (submitting → recording) → collecting → claiming → idle.
 * A failed claim is logged and followed by `idle`. A crash in any state leaves leases, which expire.
 */
export function startClaimLoop<T>(
  { db, wakeups, log }: { db: Db; wakeups: Pick<Wakeups, 'onWake'>; log: Log },
  options: ClaimLoopOptions<T>,
): ClaimLoop<T> {
  const { queue, rate_per_s } = options
  const idle = makeIdleWait()
  const leases = startLeases(options.renew, (fault) => log.warn({ queue, err: fault }, 'extending leases failed'))
  let state: State = 'idle'
  let polled_at = -Infinity
  let poll_interval_ms = options.poll?.interval_ms ?? 0
  let worked_at = performance.now()
  let has_bucket = rate_per_s === undefined
  let soon: NodeJS.Timeout | undefined
  const onWake = (detail: string): void => {
    options.onWake?.(detail)
    worked_at = performance.now()
    idle.wake()
  }
  const unsubscribe = wakeups.onWake(options.topic, onWake, { polled: !options.poll })
  const finished = run()

  async function run(): Promise<void> {
    await Promise.resolve() // the caller has the loop before it is called back
    while (enter('claiming')) {
      idle.reset()
      let started = 0
      let failed = false
      try {
        await prepare()
        await claim((items) => (started += items))
      } catch (fault) {
        if (state !== 'draining') log.warn({ queue, err: fault }, 'claiming failed')
        failed = true
      }
      const pause_ms = options.pauseMs(started)
      if (pause_ms === undefined) {
        if (enter('idle')) await idle.wait(failed ? RETRY_MS : untilPoll())
      } else if (pause_ms > 0 && enter('collecting')) {
        await new Promise((resolve) => setTimeout(resolve, pause_ms))
      }
    }
  }

  /** False once the loop is draining, which no other state follows. */
  function enter(next: State): boolean {
    if (state !== 'draining') state = next
    return state === next
  }

  async function prepare(): Promise<void> {
    if (!has_bucket) await openBucket(db, queue, rate_per_s ?? 0)
    has_bucket = true
    if (!options.poll) return
    const now = performance.now()
    if (Math.floor(now / poll_interval_ms) === Math.floor(polled_at / poll_interval_ms)) return
    if (await options.poll.find()) worked_at = now
    polled_at = now
  }

  /** All loops of the process poll at the same time: they share one query, and an idle process wakes once. */
  function untilPoll(): number | undefined {
    if (!options.poll) return undefined
    const now = performance.now()
    poll_interval_ms = now - worked_at < IDLE_AFTER_MS ? options.poll.interval_ms : IDLE_INTERVAL_MS
    return poll_interval_ms - Math.floor(now % poll_interval_ms)
  }

  /** Tokens of the rate limit are taken before the claim, and returned if it found less. */
  async function claim(started: (items: number) => void): Promise<void> {
    const wanted = options.demand()
    if (wanted <= 0) return
    const budget = rate_per_s === undefined ? wanted : await takeTokens(db, queue, rate_per_s, wanted)
    if (budget === 0) return
    let used = 0
    try {
      await options.claim(budget, (items) => {
        used += items
        started(items)
      })
    } finally {
      if (rate_per_s !== undefined && used < budget) await returnTokens(db, queue, budget - used)
    }
  }

  return {
    get state() {
      return state
    },
    leases,
    wake: idle.wake,
    wakeSoon() {
      if (state === 'draining') return idle.wake()
      soon ??= setTimeout(() => {
        soon = undefined
        idle.wake()
      }, FILL_MS)
    },
    async stop() {
      state = 'draining'
      unsubscribe()
      clearTimeout(soon)
      idle.wake()
      await finished
      for (idle.reset(); options.inFlight() > 0; idle.reset()) await idle.wait(RETRY_MS)
      leases.stop()
    },
  }
}
