import { byLayout, requireReachable } from '../../db/layout.ts'
import type { Db } from '../../db/connect.ts'
import { makeSemaphore } from '../../values/concurrency/semaphore.ts'
import type { Log } from '../../values/log.ts'
import { hourIn } from '../../values/time/time-zone.ts'
import { startFlush } from '../flush.ts'
import { addCounted } from './figures.ts'
import { addAnalytics, type HourRow } from './store.ts'
import type { Analytics, Counts } from './counters.ts'

/** On a cluster planning dominates the cost of a write, so it writes less often. */
const CLUSTER_INTERVAL_MS = 5_000

/** Concurrent writes, so that counting leaves connections to other work. */
const MAX_WRITES = 4

/**
 * Writes the counts of each organisation every second (every five on a cluster) and when stopped. Counts of a failed write
 * are kept for the next one; a killed process loses those it has not written.
 */
export function startAnalytics(deps: {
  db: Db
  log: Log
  analytics: Analytics
  /** The time zone in which the hours of an organisation begin. */
  zoneOf: (organisation_id: string) => Promise<string>
}): { stop(): Promise<void> } {
  const { db, log, analytics, zoneOf } = deps
  const semaphore = makeSemaphore(MAX_WRITES)

  async function write([organisation_id, counts]: [string, Counts]): Promise<void> {
    try {
      await requireReachable(db, organisation_id)
      await addAnalytics(db, organisation_id, hoursOf(await zoneOf(organisation_id), counts))
    } catch (err) {
      log.warn({ err, organisation_id }, 'analytics could not be written; they are retried')
      addBack(analytics, organisation_id, counts)
    }
  }

  const interval_ms = byLayout(db, { single_server: undefined, cluster: CLUSTER_INTERVAL_MS })
  return startFlush(async () => {
    await Promise.all([...analytics.drain()].map((one) => semaphore.run(() => write(one))))
  }, interval_ms)
}

/** Adds the slots of an hour up. */
export function hoursOf(zone: string, counts: Counts): HourRow[] {
  const rows = new Map<string, HourRow>()
  for (const [slot_ms, dimensions] of counts) {
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

function addBack(analytics: Analytics, organisation_id: string, counts: Counts): void {
  for (const [slot_ms, dimensions] of counts) {
    for (const [dimension, values] of dimensions) {
      for (const [value, counted] of values) analytics.note(organisation_id, slot_ms, dimension, value, counted)
    }
  }
}
