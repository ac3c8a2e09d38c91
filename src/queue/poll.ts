import type { Db } from '../db/connect.ts'
import { byLayout } from '../db/layout.ts'
import { findDue } from './due-store.ts'

export type Poll = {
  /** Work was announced. On a cluster a claim needs an organisation: if the wake-up names none, a poll follows soon. */
  noteWork(organisation_id: string): void
  close(): void
}

/** Interval while there is work; on a cluster a poll queries every node. */
const SERVER_INTERVAL_MS = 500
const CLUSTER_INTERVAL_MS = 1_000
/** Interval when there has been no work for a while. */
export const IDLE_INTERVAL_MS = 2_000
export const IDLE_AFTER_MS = 10_000
/** A poll that took long is followed by a pause this many times as long. */
const PAUSE_FACTOR = 5
/** Requests within this time share one poll. */
const SOON_MS = 20

/**
 * Finds due jobs that no wake-up announced, for all queues in one statement: jobs due later, and those of workers and
 * enqueuing processes that died. Passes each queue to `onDue`, on a cluster with each organisation; there a node that does
 * not answer is skipped, so that it delays no other node's organisations. `onDue` returns whether the process has a worker
 * for the queue.
 */
export function startPoll(db: Db, onDue: (queue: string, organisation_id: string) => boolean): Poll {
  const busy_interval_ms = byLayout(db, { single_server: SERVER_INTERVAL_MS, cluster: CLUSTER_INTERVAL_MS })
  const needs_organisation = byLayout(db, { single_server: false, cluster: true })
  let closed = false
  let polling = false
  let requested = false
  let is_idle = false
  let worked_at = performance.now()
  let timer: NodeJS.Timeout

  function schedule(delay_ms: number): void {
    clearTimeout(timer)
    if (closed) return
    timer = setTimeout(() => void poll(), delay_ms)
    timer.unref()
  }

  async function poll(): Promise<void> {
    polling = true
    requested = false
    const began = performance.now()
    const next_ms = await findAndWake().catch(() => Infinity) // the database is unreachable; the claims log that
    polling = false
    const now = performance.now()
    is_idle = now - worked_at > IDLE_AFTER_MS
    const pause_ms = Math.min(is_idle ? IDLE_INTERVAL_MS : busy_interval_ms, next_ms)
    schedule(requested ? SOON_MS : Math.max(pause_ms, PAUSE_FACTOR * (now - began)))
  }

  /** Returns the milliseconds until the next job is due, as far as that is known. */
  async function findAndWake(): Promise<number> {
    let next_ms = Infinity
    for (const { queue, organisation_id, due_in_ms } of await findDue(db)) {
      if (due_in_ms === null) worked_at = performance.now()
      else if (due_in_ms > 0) next_ms = Math.min(next_ms, Math.ceil(due_in_ms))
      else if (onDue(queue, organisation_id)) worked_at = performance.now()
    }
    return next_ms
  }

  schedule(SOON_MS)
  return {
    noteWork(organisation_id) {
      worked_at = performance.now()
      if (needs_organisation && organisation_id === '' && !requested) {
        requested = true
        if (!polling) schedule(SOON_MS)
      } else if (is_idle && !polling) {
        is_idle = false
        schedule(busy_interval_ms)
      }
    },
    close() {
      closed = true
      clearTimeout(timer)
    },
  }
}
