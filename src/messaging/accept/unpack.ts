import type { Db } from '../../db/connect.ts'
import type { Job } from '../../queue/store.ts'
import type { Wakeups } from '../../queue/wakeups.ts'
import { startWorker, type Worker } from '../../queue/worker.ts'
import { groupBy } from '../../values/group.ts'
import type { Log } from '../../values/log.ts'
import { unbundle, UNBUNDLE_QUEUE } from './bundle-store.ts'
import { unpack, UNPACK_QUEUE } from './pack-store.ts'
import { routeQueue } from '../dispatch/route.ts'

type Deps = { db: Db; wakeups: Wakeups; log: Log }

/** Packs made into rows by one statement, a thousand recipients each at most. */
const PACKS = 4
/** Bundles made into rows by one statement, some dozens of messages each, five hundred at most. */
const BUNDLES = 16

/** Makes the packs of long lists into deliveries, which then go as any other. */
export function startUnpacking(deps: Deps): Worker {
  return startMakingRows(deps, UNPACK_QUEUE, PACKS, unpack)
}

/** Makes what was accepted in bundles into messages and deliveries, which then go as any other. */
export function startUnbundling(deps: Deps): Worker {
  return startMakingRows(deps, UNBUNDLE_QUEUE, BUNDLES, unbundle)
}

function startMakingRows(
  deps: Deps,
  queue: string,
  batch: number,
  makeRows: (db: Db, organisation_id: string, jobs: readonly Job[]) => Promise<{ route: string }[]>,
): Worker {
  return startWorker(deps, {
    queue,
    limit: batch,
    batch,
    work: async (jobs) => {
      for (const [organisation_id, own] of groupBy(jobs, (job) => job.organisation_id)) {
        const routes = await makeRows(deps.db, organisation_id, own)
        for (const { route } of routes) deps.wakeups.wake(routeQueue(route))
      }
    },
  })
}
