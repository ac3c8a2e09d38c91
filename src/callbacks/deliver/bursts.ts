import type { Db } from '../../db/connect.ts'
import { postpone, type Job } from '../../queue/store.ts'
import type { Wakeups } from '../../queue/wakeups.ts'
import { LEASE_S } from '../../queue/leases.ts'
import { startWorker } from '../../queue/worker.ts'
import type { Log } from '../../values/log.ts'
import { BURST_QUEUE, CALLBACK_QUEUE } from '../enqueue.ts'
import { keepBursts, scatterBurst } from './deliver-store.ts'

/** Callbacks that were stored together and are in the hands of this process, with one job in the database for all. */
export type Bursts = {
  /** One more callback of the burst is in hand. */
  add(burst_id: bigint, organisation_id: string): void
  /** Those of these callbacks' bursts, one entry for each callback, of which nothing is left when they are written. */
  overWith(burst_ids: readonly bigint[]): bigint[]
  /** Callbacks of bursts are written. */
  end(burst_ids: readonly bigint[]): void
  /** A callback is left to whoever gets the burst next, which is due after the delay once nothing else of it is in hand. */
  leave(burst_id: bigint, delay_ms: number): void
  /** Somebody else has put the burst in line: what has not been posted yet will be by others. */
  isLost(burst_id: bigint): boolean
  stop(): Promise<void>
}

/** `open` are in hand, `left` was left to others. */
type Held = { organisation_id: string; open: number; left: boolean; delay_ms: number; since: number; lost: boolean }

const KEEP_EVERY_MS = (LEASE_S * 1_000) / 3
/** Bursts that are put in line at once: there are as many as processes die with in hand. */
const AT_ONCE = 64

/**
 * Keeps the leases of bursts in hand, and puts in line what is left of bursts whose lease has ended: each callback that
 * is still pending gets a job, as any other, in the statement that takes the burst away.
 */
export function startBursts(deps: { db: Db; wakeups: Wakeups; log: Log }): Bursts {
  const { db, wakeups, log } = deps
  const held = new Map<bigint, Held>()
  const releasing = new Set<Promise<void>>()
  const keeper = setInterval(() => void keepLeases(), KEEP_EVERY_MS)

  /** Most bursts are over before the first of these. */
  async function keepLeases(): Promise<void> {
    const slow = [...held].filter(([, { since, lost }]) => !lost && Date.now() - since > KEEP_EVERY_MS / 2)
    if (slow.length === 0) return
    const keys = slow.map(([id, { organisation_id }]) => ({ id, organisation_id }))
    try {
      const kept = await keepBursts(db, keys, LEASE_S)
      for (const [id, burst] of slow) burst.lost = !kept.has(id)
    } catch (fault) {
      log.warn({ queue: BURST_QUEUE, err: fault }, 'keeping bursts failed')
    }
  }

  function take(burst: Held, burst_id: bigint, callbacks: number): void {
    burst.open -= callbacks
    if (burst.open > 0) return
    held.delete(burst_id)
    if (burst.left && !burst.lost) release(burst, burst_id)
  }

  /** If it cannot be told, its lease ends without us. */
  function release({ organisation_id, delay_ms }: Held, burst_id: bigint): void {
    const released: Promise<void> = postpone(db, [{ id: burst_id, organisation_id }], delay_ms)
      .then(() => wakeups.wake(BURST_QUEUE, delay_ms, organisation_id))
      .catch(() => {})
      .finally(() => releasing.delete(released))
    releasing.add(released)
  }

  async function scatter(jobs: Job[]): Promise<void> {
    for (const { id, organisation_id } of jobs) {
      // The database was away for longer than a lease. We were not, and to be claimed by us has extended it.
      if (held.get(id)?.lost === false) continue
      if ((await scatterBurst(db, organisation_id, id)) > 0) wakeups.wake(CALLBACK_QUEUE, 0, organisation_id)
    }
  }

  const worker = startWorker(deps, { queue: BURST_QUEUE, limit: AT_ONCE, batch: AT_ONCE, work: scatter })

  return {
    add(burst_id, organisation_id) {
      const burst = held.get(burst_id)
      if (burst) burst.open += 1
      else held.set(burst_id, { organisation_id, open: 1, left: false, delay_ms: 0, since: Date.now(), lost: false })
    },
    overWith(burst_ids) {
      return [...count(burst_ids)].flatMap(([id, callbacks]) => {
        const burst = held.get(id)
        return burst && burst.open === callbacks && !burst.left ? [id] : []
      })
    },
    end(burst_ids) {
      for (const [id, callbacks] of count(burst_ids)) {
        const burst = held.get(id)
        if (burst) take(burst, id, callbacks)
      }
    },
    leave(burst_id, delay_ms) {
      const burst = held.get(burst_id)
      if (!burst) return
      burst.left = true
      burst.delay_ms = Math.max(burst.delay_ms, delay_ms)
      take(burst, burst_id, 1)
    },
    isLost: (burst_id) => held.get(burst_id)?.lost ?? false,
    async stop() {
      await worker.stop()
      await Promise.all(releasing)
      clearInterval(keeper)
    },
  }
}

function count(ids: readonly bigint[]): Map<bigint, number> {
  const counted = new Map<bigint, number>()
  for (const id of ids) counted.set(id, (counted.get(id) ?? 0) + 1)
  return counted
}
