import type { Db } from '../db/connect.ts'
import { startActivity } from '../observe/activity.ts'
import { startAnalytics } from '../observe/analytics/flush.ts'
import type { Meters } from '../observe/meters.ts'
import { readClock } from '../organisations/time-zone.ts'
import { cached } from '../values/concurrency/cached.ts'
import type { Log } from '../values/log.ts'

const ZONE_TTL_MS = 60_000

/** Starts writing the counters per minute and per hour. A changed time zone takes effect within a minute. */
export function startCounters(deps: { db: Db; work_db: Db; log: Log; meters: Meters }): { stop(): Promise<void> } {
  const { db, work_db, log, meters } = deps
  const zoneOf = cached(ZONE_TTL_MS, async (id) => (await readClock(db, id)).time_zone)
  const started = [
    startActivity({ db, log, activity: meters.activity }),
    startAnalytics({ db: work_db, log, analytics: meters.analytics, zoneOf }),
  ]
  return {
    async stop() {
      await Promise.all(started.map((one) => one.stop()))
    },
  }
}
