import type { Db } from '../db/connect.ts'
import { findDue } from './cluster-store.ts'

export type ClusterPoll = {
  /** Polls soon: a wake-up named a queue but no organisation. */
  soon(): void
  close(): void
}

/** Interval of the fallback poll over all nodes. */
const POLL_MS = 1_000
/** Requests within this time share one poll. */
const SOON_MS = 20

/**
 * Finds the organisations with due jobs, over all queues and nodes in one statement, and passes each to `onDue`. A node that
 * does not answer is skipped, so that it delays no other node's organisations.
 */
export function startClusterPoll(db: Db, onDue: (queue: string, organisation_id: string) => void): ClusterPoll {
  let closed = false
  let polling = false
  let requested = false
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
    try {
      for (const { queue, organisation_id } of await findDue(db)) onDue(queue, organisation_id)
    } catch {
      // The coordinator is unreachable; the claims log that.
    }
    polling = false
    schedule(requested ? SOON_MS : POLL_MS)
  }

  schedule(SOON_MS)
  return {
    soon() {
      if (requested) return
      requested = true
      if (!polling) schedule(SOON_MS)
    },
    close() {
      closed = true
      clearTimeout(timer)
    },
  }
}
