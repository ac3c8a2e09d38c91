import { lockBalance, refundLines } from '../../billing/store.ts'
import type { Db } from '../../db/connect.ts'
import { transaction } from '../../db/transaction.ts'
import { finish, postpone, type Job } from '../../queue/store.ts'
import { startWorker, type Worker } from '../../queue/worker.ts'
import type { Wakeups } from '../../queue/wakeups.ts'
import { groupBy } from '../../values/group.ts'
import type { Log } from '../../values/log.ts'
import { REFUND_QUEUE } from '../store.ts'
import { findOpenOtps, markRefunded } from './refund-store.ts'

const BATCH = 100
const RETRY_MS = 5_000

/** Refunds the fee of a verification, once the OTP has ended without being verified. */
export function startFeeRefunds(deps: { db: Db; wakeups: Wakeups; log: Log }): Worker {
  return startWorker(deps, {
    queue: REFUND_QUEUE,
    limit: 4 * BATCH,
    batch: BATCH,
    work: async (jobs) => {
      for (const [organisation_id, own] of groupBy(jobs, (job) => job.organisation_id)) {
        await refundFees(deps.db, organisation_id, own)
      }
    },
  })
}

/** A refund and the end of its job are one transaction. The ledger refuses a second refund of an OTP. */
async function refundFees(db: Db, organisation_id: string, jobs: readonly Job[]): Promise<void> {
  const otp_ids = jobs.map(({ subject_id }) => subject_id)
  await transaction(db, async (tx) => {
    await lockBalance(tx, organisation_id)
    const ended = await markRefunded(tx, organisation_id, otp_ids)
    const refunds = ended.map(({ id, verified_fee }) => ({ subject_id: id, subject_key: '', amount: verified_fee }))
    await refundLines(tx, organisation_id, refunds)
    const open = await findOpenOtps(tx, organisation_id, otp_ids)
    const isEarly = ({ subject_id }: Job): boolean => open.has(subject_id)
    await finish(
      tx,
      jobs.filter((job) => !isEarly(job)),
    )
    // Only if the clock of the database was set back.
    await postpone(tx, jobs.filter(isEarly), RETRY_MS)
  })
}
