import { byLayout } from '../../db/layout.ts'
import type { CarrierReport, KnownDelivery, TakeReports } from '../../carriers/message-carrier.ts'
import type { Db } from '../../db/connect.ts'
import { transaction } from '../../db/transaction.ts'
import { enqueue } from '../../queue/store.ts'
import type { Wakeups } from '../../queue/wakeups.ts'
import { REPORT_JOBS, REPORT_QUEUE, UNMATCHED_ORGANISATION } from './match-worker.ts'
import { findOwnDeliveries } from './reported-delivery-store.ts'
import { makeReadIds } from './report-ids.ts'
import { settleOnArrival, type MatchDeps } from './settle-on-arrival.ts'
import { insertKnown, insertReports, type NewReport } from './store.ts'

/**
 * Receives delivery reports of carriers. Once it resolves, the reports are settled or stored, and the carrier may be
 * answered. Nearly every report finds its delivery and is settled immediately; the others are stored for the match worker.
 */
export function makeReceiveReports(deps: { db: Db; wakeups: Wakeups }, settling?: MatchDeps): TakeReports {
  const readIds = makeReadIds(deps)
  return async (reports: readonly CarrierReport[], known: readonly KnownDelivery[] = []) => {
    if (reports.length === 0 && known.length === 0) return
    const all = await readIds(reports)
    const rows = settling && all.length > 0 ? await settleOnArrival(settling, all) : all
    const unsettled = withoutSettled(known, all, rows)
    if (rows.length === 0 && unsettled.length === 0) return
    const find = byLayout(deps.db, { single_server: async () => unsettled, cluster: findOwnDeliveries })
    const own = await find(deps.db, unsettled)
    await transaction(deps.db, async (tx) => {
      await insertKnown(tx, own)
      await insertReports(tx, rows)
      const jobs = rows.map(({ id }) => ({
        lane: UNMATCHED_ORGANISATION,
        organisation_id: UNMATCHED_ORGANISATION,
        subject_id: id,
      }))
      await enqueue(tx, REPORT_QUEUE, jobs, REPORT_JOBS)
    })
    deps.wakeups.wake(REPORT_QUEUE)
  }
}

/** A report that was settled found its delivery by an id that is stored already. */
function withoutSettled(
  known: readonly KnownDelivery[],
  all: readonly NewReport[],
  left: readonly NewReport[],
): readonly KnownDelivery[] {
  if (known.length === 0 || left.length === all.length) return known
  const open = new Set(left.map(({ carrier_message_id }) => carrier_message_id))
  const settled = new Set(all.map(({ carrier_message_id }) => carrier_message_id).filter((id) => !open.has(id)))
  return known.filter(({ carrier_message_id }) => !settled.has(carrier_message_id))
}
