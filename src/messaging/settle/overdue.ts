import type { Db } from '../../db/connect.ts'
import { isDatabaseUnreachable } from '../../db/unreachable.ts'
import type { Log } from '../../values/log.ts'
import { deleteOldSubmissions, findOverdue, moveSweep, putOffReports } from './overdue-store.ts'
import { settle, type SettleDeps } from './settle.ts'

const SWEEP_EVERY_MS = 1_000
const BATCH = 1_000
/** Submissions are kept this long after their report was due, for reports that come very late. */
const KEPT_H = 72

/** Deliveries that were handed over and never reported on become `unknown` when their report is overdue. */
export function startOverdue(deps: SettleDeps & { log: Log }): { stop(): Promise<void> } {
  let sweeping = Promise.resolve()
  const timer = setInterval(() => {
    sweeping = sweeping.then(() =>
      sweepOverdue(deps).catch((fault: unknown) => deps.log.warn({ err: fault }, 'sweeping failed')),
    )
  }, SWEEP_EVERY_MS)
  return {
    async stop() {
      clearInterval(timer)
      await sweeping
    },
  }
}

/** Looks at every submission whose report has come due since the last sweep, once. */
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
        if (!deps.db.distributed || !isDatabaseUnreachable(fault)) throw fault
        await putOffReports(deps.db, organisation_id)
      })
    }
    await moveSweep(deps.db, until)
    if (rows.length < BATCH) return
  }
}

export async function forgetSubmissions(deps: { db: Db }): Promise<number> {
  return deleteOldSubmissions(deps.db, KEPT_H)
}
