import type { Db } from '../../db/connect.ts'
import { startSlicedJobs, type JobSteps } from '../../queue/sliced-job.ts'
import type { Job } from '../../queue/store.ts'
import type { Wakeups } from '../../queue/wakeups.ts'
import type { Worker } from '../../queue/worker.ts'
import type { Log } from '../../values/log.ts'
import { openTable } from '../table.ts'
import { applyNext } from './apply.ts'
import { closeChange, findChange, forgetBefore } from './change-store.ts'
import { restoreNext } from './restore.ts'
import { UNDO_S } from './schema.ts'

export const CHANGE_QUEUE = 'contacts:change'

/** The previous rows are deleted some minutes after the undo window has closed. */
export const KEPT_MS = UNDO_S * 1_000 + 270_000
const ROWS_PER_DELETE = 5_000

export type ChangeDeps = {
  db: Db
  wakeups: Wakeups
  log: Log
  organisationOf: (id: string) => Promise<{ default_country: string } | undefined>
}

/** Applies changes, undoes them, and deletes the previous rows once the undo window has closed. */
export function startChanges(deps: ChangeDeps): Worker {
  return startSlicedJobs(deps, { queue: CHANGE_QUEUE, limit: 2 }, (job) => runChange(deps, job))
}

async function* runChange(deps: ChangeDeps, { organisation_id, subject_id: id }: Job): JobSteps {
  const organisation = await deps.organisationOf(organisation_id)
  for (;;) {
    const change = await findChange(deps.db, organisation_id, id)
    if (!change || !organisation) return 'done'
    const owner = { organisation_id, default_country: organisation.default_country }
    switch (change.status) {
      case 'running':
        await applyNext(deps, await openTable(deps, owner), change)
        break
      case 'undoing':
        await restoreNext(deps, await openTable(deps, owner), change)
        break
      case 'done':
        if (change.in_time) return KEPT_MS
        await closeChange(deps.db, organisation_id, id)
        break
      case 'undone':
      case 'final':
        if ((await forgetBefore(deps.db, organisation_id, id, ROWS_PER_DELETE)) === 0) return 'done'
    }
    yield
  }
}
