import type { MessageCarrier } from '../../carriers/message-carrier.ts'
import type { Db } from '../../db/connect.ts'
import { transaction } from '../../db/transaction.ts'
import { enqueue, finish, postpone, type Job } from '../../queue/store.ts'
import { startWorker, type Worker } from '../../queue/worker.ts'
import type { Wakeups } from '../../queue/wakeups.ts'
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
  for (const [organisation_id, own] of groupBy(wanted, (one) => one.organisation_id)) {
    const jobs = own.map(({ message_id, recipient }) => {
      const subject_key = `${recipient} ${verified_ms}`
      return { lane: organisation_id, organisation_id, subject_id: message_id, subject_key }
    })
    await transaction(db, (tx) => enqueue(tx, FEEDBACK_QUEUE, jobs))
  }
  wakeups.wake(FEEDBACK_QUEUE)
}

type Deps = { db: Db; log: Log; wakeups: Wakeups; find: (carrier: string) => MessageCarrier | undefined }

/** Reports to vendors which of their messages carried a verified one-time password. What fails is retried, then dropped. */
export function startFeedback(deps: Deps): Worker {
  return startWorker(deps, {
    queue: FEEDBACK_QUEUE,
    limit: MAX_IN_FLIGHT,
    batch: BATCH,
    work: async (jobs) => void (await Promise.all(jobs.map((job) => giveFeedback(deps, job)))),
  })
}

async function giveFeedback({ db, log, find }: Deps, job: Job): Promise<void> {
  const { organisation_id, subject_id: message_id, subject_key, attempts } = job
  const [recipient = '', verified_ms = ''] = subject_key.split(' ')
  const carried = await findCarried(db, { organisation_id, message_id, recipient })
  const feedback = carried && find(carried.carrier)?.feedback
  // The message was deleted, or the carrier wants no feedback any more.
  if (!carried || !feedback) return finish(db, [job])
  const { carrier } = carried
  const carrier_message_id = await findCarrierId(db, carried, feedback.report_due_s)
  if (carrier_message_id === undefined) return finish(db, [job])
  const outcome = await feedback.send({ carrier_message_id, recipient, verified_ms: Number(verified_ms) })
  if (outcome.kind === 'failed' && attempts < MAX_ATTEMPTS) {
    return postpone(db, [job], FIRST_RETRY_MS * 2 ** (attempts - 1))
  }
  if (outcome.kind !== 'accepted') {
    log.warn({ carrier, reason: outcome.description }, 'a carrier did not take the feedback on a one-time password')
  }
  await finish(db, [job])
}
