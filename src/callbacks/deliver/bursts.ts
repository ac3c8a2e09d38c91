import type { Db } from '../../db/connect.ts'
import { LEASE_S, startLeases } from '../../queue/leases.ts'
import { postpone, type Job } from '../../queue/store.ts'
import type { Wakeups } from '../../queue/wakeups.ts'
import { startWorker } from '../../queue/worker.ts'
import type { Log } from '../../values/log.ts'
import { BURST_QUEUE, CALLBACK_QUEUE } from '../enqueue.ts'
import { extendBursts, requeueBurst } from './deliver-store.ts'

/** Bursts: callbacks that were stored together and are leased by this process, with one job for all of them. */
export type Bursts = {
  /** Adds a callback of the burst. */
  add(burst_id: bigint, organisation_id: string): void
  /** The bursts that have no callback left once these are recorded; `burst_ids` has one entry per callback. */
  endingWith(burst_ids: readonly bigint[]): bigint[]
  /** Callbacks of bursts are recorded. */
  end(burst_ids: readonly bigint[]): void
  /** A callback is not delivered here. Once no other callback of its burst is in flight, the burst is due after the delay. */
  release(burst_id: bigint, delay_ms: number): void
  /** Another process has taken over the burst: callbacks that were not posted yet are posted there. */
  isLost(burst_id: bigint): boolean
  stop(): Promise<void>
}

type Burst = {
  id: bigint
  organisation_id: string
  /** Callbacks in flight. */
  open: number
  /** Some of its callbacks were released, the last of them with this delay. */
  released: boolean
  delay_ms: number
  lost: boolean
}

/** Bursts scattered in one batch: there are only as many as processes that died with leases. */
const MAX_SCATTERED = 64

/**
 * Extends the leases of this process's bursts, and scatters bursts whose lease has expired: each callback that is still
 * pending gets a job of its own, in the statement that deletes the burst.
 */
export function startBursts(deps: { db: Db; wakeups: Wakeups; log: Log }): Bursts {
  const { db, wakeups, log } = deps
  const bursts = new Map<bigint, Burst>()
  const releasing = new Set<Promise<void>>()
  const leases = startLeases<Burst>(
    async (due) => {
      const held = due.filter(({ lost }) => !lost)
      if (held.length === 0) return
      const extended = await extendBursts(db, held, LEASE_S)
      for (const burst of held) burst.lost = !extended.has(burst.id)
    },
    (fault) => log.warn({ queue: BURST_QUEUE, err: fault }, 'extending the leases of bursts failed'),
  )
  const worker = startWorker(deps, { queue: BURST_QUEUE, limit: MAX_SCATTERED, batch: MAX_SCATTERED, work: scatter })

  async function scatter(jobs: Job[]): Promise<void> {
    for (const { id, organisation_id } of jobs) {
      // Its lease expired during an outage of the database, but it is still in flight here: this claim has extended it.
      if (bursts.get(id)?.lost === false) continue
      if ((await requeueBurst(db, organisation_id, id)) > 0) wakeups.wake(CALLBACK_QUEUE, 0, organisation_id)
    }
  }

  function subtract(burst: Burst, callbacks: number): void {
    burst.open -= callbacks
    if (burst.open > 0) return
    bursts.delete(burst.id)
    leases.release(burst)
    if (burst.released && !burst.lost) releaseJob(burst)
  }

  /** If this fails, the lease expires. */
  function releaseJob({ id, organisation_id, delay_ms }: Burst): void {
    const released: Promise<void> = postpone(db, [{ id, organisation_id }], delay_ms)
      .then(() => wakeups.wake(BURST_QUEUE, delay_ms, organisation_id))
      .catch(() => {})
      .finally(() => releasing.delete(released))
    releasing.add(released)
  }

  return {
    add(id, organisation_id) {
      const known = bursts.get(id)
      if (known) known.open += 1
      else {
        const burst = { id, organisation_id, open: 1, released: false, delay_ms: 0, lost: false }
        bursts.set(id, burst)
        leases.add(burst)
      }
    },
    endingWith(burst_ids) {
      return [...count(burst_ids)].flatMap(([id, callbacks]) => {
        const burst = bursts.get(id)
        return burst && burst.open === callbacks && !burst.released ? [id] : []
      })
    },
    end(burst_ids) {
      for (const [id, callbacks] of count(burst_ids)) {
        const burst = bursts.get(id)
        if (burst) subtract(burst, callbacks)
      }
    },
    release(id, delay_ms) {
      const burst = bursts.get(id)
      if (!burst) return
      burst.released = true
      burst.delay_ms = Math.max(burst.delay_ms, delay_ms)
      subtract(burst, 1)
    },
    isLost: (id) => bursts.get(id)?.lost ?? false,
    async stop() {
      await worker.stop()
      await Promise.all(releasing)
      leases.stop()
    },
  }
}

function count(ids: readonly bigint[]): Map<bigint, number> {
  const counted = new Map<bigint, number>()
  for (const id of ids) counted.set(id, (counted.get(id) ?? 0) + 1)
  return counted
}
