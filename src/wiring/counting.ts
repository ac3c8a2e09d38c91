import { startCounters } from '../analytics/start-counters.ts'
import type { Db } from '../db/connect.ts'
import { startEvidence } from '../evidence/flush.ts'
import { startMarginCounts } from '../margins/flush.ts'
import { queueFeedback, queueJudgement } from '../messaging/feedback/feedback.ts'
import type { Meters } from '../observe/meters.ts'
import type { Wakeups } from '../queue/wakeups.ts'
import type { Routing } from './routing.ts'

type Deps = Parameters<typeof startCounters>[0] & {
  db: Db
  meters: Meters
  wakeups: Wakeups
  /** Its carriers may change. */
  routing: Pick<Routing, 'channelOf' | 'feedback_carriers'>
}

/** Starts writing what is counted in memory. */
export function startCounting(deps: Deps): { stop(): Promise<void> } {
  const { work_db, log, meters, routing } = deps
  const started = [
    startCounters(deps),
    startMarginCounts({ db: work_db, log, margins: meters.margins }),
    startEvidence({
      ...deps,
      db: work_db,
      channelOf: (route) => routing.channelOf(route),
      onVerified: (verified) => queueFeedback(deps, (carrier) => routing.feedback_carriers.has(carrier), verified),
      onAwaited: (otps) => queueJudgement(deps, otps),
    }),
  ]
  return {
    async stop() {
      await Promise.all(started.map((one) => one.stop()))
    },
  }
}
