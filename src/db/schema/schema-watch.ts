import { startPeriodicJob, type PeriodicJob } from '../../values/concurrency/periodic-job.ts'
import type { Db } from '../connect.ts'
import { findNewerPatch } from './builds.ts'
import { knownSchema, NewerSchema, newestApplied } from '../migrate.ts'

const CHECK_INTERVAL_MS = 5_000

/**
 * Notices that another process has migrated the database beyond what this build knows, and reports it once. A process that
 * started before an upgrade to another minor release would otherwise fail statement by statement.
 */
export function watchSchema(db: Db, onNewer: (fault: NewerSchema) => void): PeriodicJob {
  let reported = false
  return startPeriodicJob(
    CHECK_INTERVAL_MS,
    async () => {
      const [found, known] = await Promise.all([newestApplied(db), knownSchema()])
      if (found <= known || (await findNewerPatch(db)) !== undefined) return
      if (!reported) onNewer(new NewerSchema(found, known))
      reported = true
    },
    () => {}, // without the database nothing is served anyway
  )
}
