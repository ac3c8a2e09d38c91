import type { Db } from '../db/connect.ts'
import { byLayout } from '../db/layout.ts'
import { startFlush } from '../observe/flush.ts'
import type { Margins } from '../observe/margins.ts'
import type { Log } from '../values/log.ts'
import { addMargins } from './store.ts'

/** As analytics: on a cluster planning dominates the cost of a write. */
const CLUSTER_INTERVAL_MS = 5_000

/** Writes what was counted, every second and when stopped. A killed process loses what it has not written. */
export function startMarginCounts({ db, log, margins }: { db: Db; log: Log; margins: Margins }): {
  stop(): Promise<void>
} {
  const interval_ms = byLayout(db, { single_server: undefined, cluster: CLUSTER_INTERVAL_MS })
  return startFlush(async () => {
    const counted = margins.drain()
    if (counted.length === 0) return
    try {
      await addMargins(db, counted)
    } catch (err) {
      log.warn({ err }, 'margins could not be written; they are retried')
      for (const row of counted) margins.note(row, row)
    }
  }, interval_ms)
}
