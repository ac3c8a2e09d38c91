import { requireNode } from '../db/cluster/nodes.ts'
import { whereItLies } from '../db/cluster/where-it-lies.ts'
import type { Db } from '../db/connect.ts'
import type { Log } from '../values/log.ts'
import { addActivity } from './activity-store.ts'
import { everySecond, fewAtATime } from './every-second.ts'
import { FIGURES, noFigures, type Figure, type Figures } from './figures.ts'

export type Activity = {
  /** Adds to what the organisation did this minute. */
  note(organisation_id: string, figure: Figure, by: number): void
  /** Everything since the last time. */
  drain(): Map<string, Figures>
}

/** A Map in memory: counting a message costs no statement. What was counted is written down once a second. */
export function makeActivity(): Activity {
  let counts = new Map<string, Figures>()
  return {
    note(organisation_id, figure, by) {
      let own = counts.get(organisation_id)
      if (!own) counts.set(organisation_id, (own = noFigures()))
      own[figure] += by
    },
    drain() {
      const drained = counts
      counts = new Map()
      return drained
    },
  }
}

/** Writes down what was counted, every second and at the end. What cannot be written is kept for the next time. */
export function startActivity(deps: { db: Db; log: Log; activity: Activity }): { stop(): Promise<void> } {
  const { activity } = deps

  async function flush(): Promise<void> {
    const counts = activity.drain()
    if (counts.size === 0) return
    // On a cluster each organisation is written by itself, where it lies: nobody's figures wait for another's node.
    await fewAtATime(deps.db.distributed ? [...counts].map((one) => new Map([one])) : [counts], write)
  }

  async function write(counts: ReadonlyMap<string, Figures>): Promise<void> {
    try {
      const [first = ''] = counts.keys()
      await requireNode(deps.db, first)
      await addActivity(whereItLies(deps.db, first), counts)
    } catch (err) {
      deps.log.warn({ err }, 'counting failed for the moment')
      for (const [organisation_id, own] of counts) {
        for (const figure of FIGURES) if (own[figure] !== 0) activity.note(organisation_id, figure, own[figure])
      }
    }
  }

  return everySecond(flush)
}
