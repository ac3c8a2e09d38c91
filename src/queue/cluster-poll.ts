import type { Db } from '../db/connect.ts'
import { findDue } from './cluster-store.ts'

export type Look = {
  /** Looks soon: something is due, and it was not said whose. */
  soon(): void
  close(): void
}

/** The safety net behind the wake-ups: so often all nodes of a cluster are asked who has something due. */
const LOOK_EVERY_MS = 1_000
/** All who ask within this time share one look. */
const SOON_MS = 20

/**
 * Finds out which organisations have jobs due, over all queues and all nodes by one statement, and tells. A node that is
 * away is passed over: nobody else waits for its organisations.
 */
export function startClusterPoll(db: Db, tell: (queue: string, organisation_id: string) => void): Look {
  let closed = false
  let looking = false
  let asked = false
  let timer: NodeJS.Timeout

  function plan(delay_ms: number): void {
    clearTimeout(timer)
    if (closed) return
    timer = setTimeout(() => void look(), delay_ms)
    timer.unref()
  }

  async function look(): Promise<void> {
    looking = true
    asked = false
    try {
      for (const { queue, organisation_id } of await findDue(db)) tell(queue, organisation_id)
    } catch {
      // The coordinator is away; whoever claims says so.
    }
    looking = false
    plan(asked ? SOON_MS : LOOK_EVERY_MS)
  }

  plan(SOON_MS)
  return {
    soon() {
      if (asked) return
      asked = true
      if (!looking) plan(SOON_MS)
    },
    close() {
      closed = true
      clearTimeout(timer)
    },
  }
}
