import { startWorker, type Worker } from '../queue/worker.ts'
import { carryOut, type CarryOutDeps } from './carry-out.ts'
import { AIRTIME_QUEUE } from './store.ts'

/** Purchases in hand at once in this process: most of the time each of them waits for its vendor. */
const PURCHASES = 128
/** Of one organisation, so that nobody's campaign stands in front of the others. */
const PER_ORGANISATION = 64
const STEP = 16
/** How long calls under way may still take when the process stops; then they are broken off, and asked about later. */
const STOP_GRACE_MS = 3_000

/** Carries purchases out, one step after the other. */
export function startAirtime(deps: CarryOutDeps & { stopVendors: () => Promise<void> }): Worker {
  const worker = startWorker(deps, {
    queue: AIRTIME_QUEUE,
    limit: PURCHASES,
    batch: 1,
    lanes: { limit: () => PER_ORGANISATION, step: STEP },
    work: async ([job]) => {
      if (job) await carryOut(deps, job)
    },
  })
  return {
    async stop() {
      const grace = setTimeout(() => void deps.stopVendors(), STOP_GRACE_MS)
      await worker.stop()
      clearTimeout(grace)
      await deps.stopVendors()
    },
  }
}
