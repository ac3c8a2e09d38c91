import type { Db } from '../db/connect.ts'
import type { Wakeups } from '../queue/wakeups.ts'
import { startWorker, type Worker } from '../queue/worker.ts'
import { groupBy } from '../values/group.ts'
import type { Log } from '../values/log.ts'
import { unpack, UNPACK_QUEUE } from './pack-store.ts'
import { routeQueue } from './route.ts'

/** Packs made into rows by one statement, a thousand each at most. */
const BATCH = 4

/** Makes the packs of long lists into deliveries, which then go as any other. */
export function startUnpacking(deps: { db: Db; wakeups: Wakeups; log: Log }): Worker {
  return startWorker(deps, {
    queue: UNPACK_QUEUE,
    limit: BATCH,
    batch: BATCH,
    work: async (jobs) => {
      for (const [organisation_id, own] of groupBy(jobs, ({ organisation_id }) => organisation_id)) {
        const routes = await unpack(deps.db, organisation_id, own)
        for (const { route } of routes) deps.wakeups.wake(routeQueue(route))
      }
    },
  })
}
