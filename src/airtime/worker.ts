import { startWorker, type Worker } from '../queue/worker.ts'
import type { PurchaseWorker, ReservedPurchase } from './accept.ts'
import { begin, carryOut, type CarryOutDeps } from './carry-out.ts'
import { makePurchaseSteps, type StepDeps } from './steps.ts'
import { AIRTIME_QUEUE } from './store.ts'

export type AirtimeDeps = StepDeps &
  Omit<CarryOutDeps, 'steps'> & { duplicate_minutes: number; stopVendors: () => Promise<void> }

/** Purchases in flight per process: most of the time each of them waits for its vendor. */
const MAX_PURCHASES = 256
/** Of one organisation, so that none can block the others. */
const MAX_PER_ORGANISATION = 192
const STEP = 192
/** How long calls in flight may take when the process stops; then they are aborted, and the vendor is queried later. */
const STOP_GRACE_MS = 3_000

/** Carries purchases out, one step per job run. */
export function startAirtime(deps: AirtimeDeps): Worker & PurchaseWorker {
  const with_steps = { ...deps, steps: makePurchaseSteps(deps, deps.duplicate_minutes) }
  const reserved_by_job = new Map<bigint, ReservedPurchase>()
  const worker = startWorker(deps, {
    queue: AIRTIME_QUEUE,
    limit: MAX_PURCHASES,
    batch: 1,
    lanes: { limit: () => MAX_PER_ORGANISATION, step: STEP },
    work: async ([job]) => {
      if (!job) return
      const reserved = reserved_by_job.get(job.id)
      reserved_by_job.delete(job.id)
      await (reserved ? begin(with_steps, reserved) : carryOut(with_steps, job))
    },
  })
  return {
    reserve: (place) => worker.reserve(place),
    startReserved(place, reserved) {
      if (reserved) reserved_by_job.set(reserved.job.id, reserved)
      worker.startReserved(place, reserved?.job)
    },
    async stop() {
      const grace = setTimeout(() => void deps.stopVendors(), STOP_GRACE_MS)
      await worker.stop()
      clearTimeout(grace)
      await deps.stopVendors()
    },
  }
}
