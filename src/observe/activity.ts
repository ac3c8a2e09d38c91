import { batchesOf, connectionsOf, requireReachable } from '../db/layout.ts'
import type { Db } from '../db/connect.ts'
import { makeSemaphore } from '../values/concurrency/semaphore.ts'
import type { Log } from '../values/log.ts'
import { addActivity } from './activity-store.ts'
import { startFlush } from './flush.ts'
import { FIGURES, zeroFigures, type Figure, type Figures } from './figures.ts'

export type Activity = {
  /** Adds to a figure of the organisation in the current minute. */
  note(organisation_id: string, figure: Figure, by: number): void
  /** Returns and resets all counts. */
  drain(): Map<string, Figures>
}

/** Counts in memory; `startActivity` writes the counts once a second. */
export function makeActivity(): Activity {
  let counts = new Map<string, Figures>()
  return {
    note(organisation_id, figure, by) {
      let own = counts.get(organisation_id)
      if (!own) counts.set(organisation_id, (own = zeroFigures()))
      own[figure] += by
    },
    drain() {
      const drained = counts
      counts = new Map()
      return drained
    },
  }
}

/** Concurrent writes on a cluster, so that counting leaves connections to other work. */
const MAX_WRITES = 4

/** Writes the counts every second and when stopped. Counts of a failed write are kept for the next one. */
export function startActivity(deps: { db: Db; log: Log; activity: Activity }): { stop(): Promise<void> } {
  const { activity } = deps
  const semaphore = makeSemaphore(MAX_WRITES)

  async function flush(): Promise<void> {
    const counts = activity.drain()
    if (counts.size === 0) return
    const batches = batchesOf(deps.db, [...counts]).map((entries) => new Map(entries))
    await Promise.all(batches.map((batch) => semaphore.run(() => write(batch))))
  }

  async function write(counts: ReadonlyMap<string, Figures>): Promise<void> {
    try {
      const [first = ''] = counts.keys()
      await requireReachable(deps.db, first)
      await addActivity(connectionsOf(deps.db, first), counts)
    } catch (err) {
      deps.log.warn({ err }, 'activity could not be written; it is retried')
      for (const [organisation_id, own] of counts) {
        for (const figure of FIGURES) if (own[figure] !== 0) activity.note(organisation_id, figure, own[figure])
      }
    }
  }

  return startFlush(flush)
}
