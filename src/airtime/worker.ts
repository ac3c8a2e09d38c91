import { startWorker, type Worker } from '../queue/worker.ts'
import type { HeldPurchase, PurchaseHands } from './accept.ts'
import { makeBursts } from './bursts.ts'
import { begin, carryOut, type CarryOutDeps } from './carry-out.ts'
import type { RecordDeps } from './record.ts'
import { AIRTIME_QUEUE } from './store.ts'

export type AirtimeDeps = RecordDeps &
  Omit<CarryOutDeps, 'bursts'> & { duplicate_minutes: number; stopVendors: () => Promise<void> }

/** Purchases in hand at once in this process: most of the time each of them waits for its vendor. */
const PURCHASES = 256
/** Of one organisation, so that nobody's campaign stands in front of the others. */
const PER_ORGANISATION = 192
const STEP = 192
/** How long calls under way may still take when the process stops; then they are broken off, and asked about later. */
const STOP_GRACE_MS = 3_000

/** Carries purchases out, one step after the other. */
export function startAirtime(deps: AirtimeDeps): Worker & PurchaseHands {
  const steps = { ...deps, bursts: makeBursts(deps, deps.duplicate_minutes) }
  const handed_over = new Map<bigint, HeldPurchase>()
  const worker = startWorker(deps, {
    queue: AIRTIME_QUEUE,
    limit: PURCHASES,
    batch: 1,
    lanes: { limit: () => PER_ORGANISATION, step: STEP },
    work: async ([job]) => {
      if (!job) return
      const held = handed_over.get(job.id)
      handed_over.delete(job.id)
      await (held ? begin(steps, held) : carryOut(steps, job))
    },
  })
  return {
    reserve: (place) => worker.reserve(place),
    take(place, held) {
      if (held) handed_over.set(held.job.id, held)
      worker.startReserved(place, held?.job)
    },
    async stop() {
      const grace = setTimeout(() => void deps.stopVendors(), STOP_GRACE_MS)
      await worker.stop()
      clearTimeout(grace)
      await deps.stopVendors()
    },
  }
}
