import { startWorker, type Worker } from '../queue/worker.ts'
import { makeBursts } from './bursts.ts'
import { carryOut, type CarryOutDeps } from './carry-out.ts'
import type { RecordDeps } from './record.ts'
import { AIRTIME_QUEUE } from './store.ts'

export type AirtimeDeps = RecordDeps &
  Omit<CarryOutDeps, 'bursts'> & { duplicate_minutes: number; stopVendors: () => Promise<void> }

/** Purchases in hand at once in this process: most of the time each of them waits for its vendor. */
const PURCHASES = 256
/** Of one organisation, so that nobody's campaign stands in front of the others. */
const PER_ORGANISATION = 64
const STEP = 64
/** How long calls under way may still take when the process stops; then they are broken off, and asked about later. */
const STOP_GRACE_MS = 3_000

/** Carries purchases out, one step after the other. */
export function startAirtime(deps: AirtimeDeps): Worker {
  const steps = { ...deps, bursts: makeBursts(deps, deps.duplicate_minutes) }
  const worker = startWorker(deps, {
    queue: AIRTIME_QUEUE,
    limit: PURCHASES,
    batch: 1,
    lanes: { limit: () => PER_ORGANISATION, step: STEP },
    work: async ([job]) => {
      if (job) await carryOut(steps, job)
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
