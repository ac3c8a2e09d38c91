import { byLayout } from '../../db/layout.ts'
import type { Db } from '../../db/connect.ts'
import { isDatabaseUnreachable } from '../../db/unreachable.ts'
import { startPeriodicJob, type PeriodicJob } from '../../values/concurrency/periodic-job.ts'
import type { Log } from '../../values/log.ts'
import { deleteOldSubmissions, findOverdue, moveSweep, postponeReports } from './overdue-store.ts'
import { settle, type SettleDeps } from './settle.ts'

const SWEEP_INTERVAL_MS = 5_000
const BATCH = 1_000
/** How long submissions are kept after their report was due, for late reports. */
const RETENTION_H = 72

/** Marks sent deliveries `unknown` once their report is overdue. */
export function startOverdue(deps: SettleDeps & { log: Log }): PeriodicJob {
  const onFailure = (err: unknown) => deps.log.warn({ err }, 'the sweep of overdue reports failed')
  return startPeriodicJob(SWEEP_INTERVAL_MS, () => sweepOverdue(deps), onFailure)
}

/** Handles every submission whose report became due since the last sweep. */
export async function sweepOverdue(deps: SettleDeps): Promise<void> {
  for (;;) {
    const { rows, until } = await findOverdue(deps.db, BATCH)
    for (const organisation_id of new Set(rows.map((row) => row.organisation_id))) {
      const changes = rows
        .filter((row) => row.organisation_id === organisation_id && row.status === 'sent')
        .map(({ message_id, recipient }) => ({
          message_id,
          recipient,
          status: 'unknown' as const,
          code: null,
          description: 'the carrier never reported',
        }))
      await settle(deps, organisation_id, changes, async () => {}).catch(async (fault: unknown) => {
        const is_node_lost = byLayout(deps.db, { single_server: false, cluster: isDatabaseUnreachable(fault) })
        if (!is_node_lost) throw fault
        await postponeReports(deps.db, organisation_id)
      })
    }
    await moveSweep(deps.db, until)
    if (rows.length < BATCH) return
  }
}

/** Deletes submissions whose report has been due for longer than their retention. */
export async function deleteExpiredSubmissions(deps: { db: Db }): Promise<number> {
  return deleteOldSubmissions(deps.db, RETENTION_H)
}
