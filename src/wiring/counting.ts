import { startCounters } from '../analytics/start-counters.ts'
import { startEvidence, type EvidenceDeps } from '../evidence/flush.ts'
import { startMarginCounts } from '../margins/flush.ts'
import type { Meters } from '../observe/meters.ts'

/** Starts writing what is counted in memory. */
export function startCounting(
  deps: Parameters<typeof startCounters>[0] & { meters: Meters } & Pick<EvidenceDeps, 'channelOf'>,
): { stop(): Promise<void> } {
  const { work_db, log, meters } = deps
  const started = [
    startCounters(deps),
    startMarginCounts({ db: work_db, log, margins: meters.margins }),
    startEvidence({ ...deps, db: work_db }),
  ]
  return {
    async stop() {
      await Promise.all(started.map((one) => one.stop()))
    },
  }
}
