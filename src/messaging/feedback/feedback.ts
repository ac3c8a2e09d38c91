import type { MessageCarrier } from '../../carriers/message-carrier.ts'
import type { Db } from '../../db/connect.ts'
import { transaction } from '../../db/transaction.ts'
import { enqueue, finish, postpone, type Job } from '../../queue/store.ts'
import { startWorker, type Worker } from '../../queue/worker.ts'
import type { Wakeups } from '../../queue/wakeups.ts'
import type { AwaitedOtp } from '../../observe/evidence.ts'
import { groupBy } from '../../values/group.ts'
import type { Log } from '../../values/log.ts'
import { findCarried, findCarrierId } from './store.ts'

export const FEEDBACK_QUEUE = 'feedback'

const BATCH = 20
const MAX_IN_FLIGHT = 100
/** Over about three minutes. */
const MAX_ATTEMPTS = 6
const FIRST_RETRY_MS = 5_000

/** A one-time password that was verified, and the message that carried it. */
export type VerifiedOtp = { organisation_id: string; message_id: string; recipient: string; carrier: string }

/** Queues feedback on verified one-time passwords for the carriers that want it. */
export async function queueFeedback(
  { db, wakeups }: { db: Db; wakeups: Wakeups },
  wantsFeedback: (carrier: string) => boolean,
  verified: readonly VerifiedOtp[],
): Promise<void> {
  const wanted = verified.filter(({ carrier }) => wantsFeedback(carrier))
  if (wanted.length === 0) return
  const verified_ms = Date.now()
  await enqueueFeedback(
    db,
    wanted.map((one) => ({ ...one, at_ms: verified_ms, then: VERIFIED })),
  )
  wakeups.wake(FEEDBACK_QUEUE)
}

/** Queues feedback on one-time passwords for when they have ended. It is dropped if they were verified by then. */
export async function queueJudgement({ db }: { db: Db }, otps: readonly AwaitedOtp[]): Promise<void> {
  await enqueueFeedback(
    db,
    otps.map((one) => ({ ...one, at_ms: Math.round(one.ends_ms), then: JUDGED })),
  )
}

/** What is reported: a verification, or how the one-time password has ended. */
const VERIFIED = 'verified'
const JUDGED = 'judged'
/** After the end of a one-time password, so that a verification of its last moment is recorded. */
const JUDGED_AFTER_MS = 2_000

type Queued = Omit<VerifiedOtp, 'carrier'> & { at_ms: number; then: typeof VERIFIED | typeof JUDGED }

async function enqueueFeedback(db: Db, wanted: readonly Queued[]): Promise<void> {
  const now_ms = Date.now()
  for (const [organisation_id, own] of groupBy(wanted, (one) => one.organisation_id)) {
    const jobs = own.map(({ message_id, recipient, at_ms, then }) => ({
      lane: organisation_id,
      organisation_id,
      subject_id: message_id,
      subject_key: `${recipient} ${at_ms} ${then}`,
      delay_ms: then === JUDGED ? Math.max(0, at_ms + JUDGED_AFTER_MS - now_ms) : 0,
    }))
    await transaction(db, (tx) => enqueue(tx, FEEDBACK_QUEUE, jobs))
  }
}

type Deps = {
  db: Db
  log: Log
  wakeups: Wakeups
  find: (carrier: string) => MessageCarrier | undefined
  /** Whether the one-time password of a message has ended without being verified or revoked. */
  endedUnverified: (organisation_id: string, message_id: string) => Promise<boolean>
}

/** Reports to vendors what became of one-time passwords that they carried. What fails is retried, then dropped. */
export function startFeedback(deps: Deps): Worker {
  return startWorker(deps, {
    queue: FEEDBACK_QUEUE,
    limit: MAX_IN_FLIGHT,
    batch: BATCH,
    work: async (jobs) => void (await Promise.all(jobs.map((job) => giveFeedback(deps, job)))),
  })
}

async function giveFeedback({ db, log, find, endedUnverified }: Deps, job: Job): Promise<void> {
  const { organisation_id, subject_id: message_id, subject_key, attempts } = job
  const [recipient = '', at_ms = '', then] = subject_key.split(' ')
  const is_verified = then !== JUDGED
  if (!is_verified && !(await endedUnverified(organisation_id, message_id))) return finish(db, [job])
  const carried = await findCarried(db, { organisation_id, message_id, recipient })
  const feedback = carried && find(carried.carrier)?.feedback
  // The message was deleted, or the carrier wants no feedback any more.
  if (!carried || !feedback) return finish(db, [job])
  const { carrier } = carried
  const carrier_message_id = await findCarrierId(db, carried, feedback.report_due_s)
  if (carrier_message_id === undefined) return finish(db, [job])
  const outcome = await feedback.send({ carrier_message_id, recipient, is_verified, at_ms: Number(at_ms) })
  if (outcome.kind === 'failed' && attempts < MAX_ATTEMPTS) {
    return postpone(db, [job], FIRST_RETRY_MS * 2 ** (attempts - 1))
  }
  if (outcome.kind !== 'accepted') {
    log.warn({ carrier, reason: outcome.description }, 'a carrier did not take the feedback on a one-time password')
  }
  await finish(db, [job])
}
