import type { Db } from '../../db/connect.ts'
import { transaction } from '../../db/transaction.ts'
import { finish, postpone, type Job } from '../../queue/store.ts'
import { startWorker, type Worker } from '../../queue/worker.ts'
import type { Wakeups } from '../../queue/wakeups.ts'
import type { Log } from '../../values/log.ts'
import { openTable } from '../table.ts'
import { applySome } from './apply.ts'
import { closeChange, findChange, forgetBefore } from './change-store.ts'
import { restoreSome } from './restore.ts'
import { UNDO_S } from './schema.ts'

export const CHANGE_QUEUE = 'contacts:change'

/** Then others get their turn, and a server that stops does not wait long. */
const TURN_MS = 1_500
/** What was there before goes some minutes after the last moment in which it could be of use. */
export const KEPT_MS = UNDO_S * 1_000 + 270_000
const FORGOTTEN_AT_ONCE = 5_000

export type ChangeDeps = {
  db: Db
  wakeups: Wakeups
  log: Log
  organisationOf: (id: string) => Promise<{ default_country: string } | undefined>
}

/** Works changes off, takes them back, and forgets what was there before them when the time for that is over. */
export function startChanges(deps: ChangeDeps): Worker {
  return startWorker(deps, {
    queue: CHANGE_QUEUE,
    limit: 2,
    batch: 1,
    work: async (jobs) => {
      for (const job of jobs) await takeTurn(deps, job)
    },
  })
}

async function takeTurn(deps: ChangeDeps, job: Job): Promise<void> {
  const { organisation_id, subject_id: id } = job
  const change = await findChange(deps.db, organisation_id, id)
  const organisation = await deps.organisationOf(organisation_id)
  if (!change || !organisation) return finish(deps.db, [job])
  const until = Date.now() + TURN_MS
  switch (change.status) {
    case 'running': {
      const table = await openTable(deps, { organisation_id, default_country: organisation.default_country })
      return goOn(deps, job, (await applySome(deps, table, change, until)) ? 0 : KEPT_MS)
    }
    case 'undoing': {
      const table = await openTable(deps, { organisation_id, default_country: organisation.default_country })
      return (await restoreSome(deps, table, change, until)) ? goOn(deps, job, 0) : finish(deps.db, [job])
    }
    case 'done':
      await transaction(deps.db, (tx) => closeChange(tx, organisation_id, id))
      return goOn(deps, job, change.in_time ? KEPT_MS : 0)
    case 'undone':
    case 'final': {
      const gone = await forgetBefore(deps.db, organisation_id, id, FORGOTTEN_AT_ONCE)
      return gone === 0 ? finish(deps.db, [job]) : goOn(deps, job, 0)
    }
  }
}

async function goOn(deps: ChangeDeps, job: Job, wait_ms: number): Promise<void> {
  await postpone(deps.db, [job], wait_ms)
  if (wait_ms === 0) deps.wakeups.wake(CHANGE_QUEUE)
}
