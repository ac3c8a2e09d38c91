import { requireNode } from '../../db/cluster/nodes.ts'
import type { Db } from '../../db/connect.ts'
import type { Log } from '../../values/log.ts'
import { hourIn } from '../../values/time/time-zone.ts'
import { everySecond, fewAtATime } from '../every-second.ts'
import { addCounted } from './figures.ts'
import { addAnalytics, type HourRow } from './store.ts'
import type { Analytics, Tallied } from './tally.ts'

/** There a write takes several times as long, mostly to be planned, however much it adds: rarer ones cost less. */
const ON_CLUSTER_EVERY_MS = 5_000

/**
 * Writes down what was counted, every second and at the end, each organisation by itself; every five on a cluster, and
 * seldomer where there are very many. What cannot be written is kept for the next time; what a process that is killed has
 * not written is lost.
 */
export function startAnalytics(deps: {
  db: Db
  log: Log
  analytics: Analytics
  /** By whose clock the hours of an organisation begin. */
  zoneOf: (organisation_id: string) => Promise<string>
}): { stop(): Promise<void> } {
  const { db, log, analytics, zoneOf } = deps

  async function write([organisation_id, tallied]: [string, Tallied]): Promise<void> {
    try {
      await requireNode(db, organisation_id)
      await addAnalytics(db, organisation_id, hoursOf(await zoneOf(organisation_id), tallied))
    } catch (err) {
      log.warn({ err, organisation_id }, 'counting for analytics failed for the moment')
      giveBack(analytics, organisation_id, tallied)
    }
  }

  const every_ms = db.distributed ? ON_CLUSTER_EVERY_MS : undefined
  return everySecond(() => fewAtATime([...analytics.drain()], write), every_ms)
}

/** The slots of an hour are added up. */
export function hoursOf(zone: string, tallied: Tallied): HourRow[] {
  const rows = new Map<string, HourRow>()
  for (const [slot_ms, dimensions] of tallied) {
    const hour_ms = hourIn(zone, slot_ms)
    for (const [dimension, values] of dimensions) {
      for (const [value, counted] of values) {
        const key = `${hour_ms} ${dimension} ${value}`
        const known = rows.get(key)
        if (known) addCounted(known.counted, counted)
        else rows.set(key, { dimension, hour_ms, value, counted: { ...counted } })
      }
    }
  }
  return [...rows.values()]
}

function giveBack(analytics: Analytics, organisation_id: string, tallied: Tallied): void {
  for (const [slot_ms, dimensions] of tallied) {
    for (const [dimension, values] of dimensions) {
      for (const [value, counted] of values) analytics.note(organisation_id, slot_ms, dimension, value, counted)
    }
  }
}
