import type { Db, Tx } from '../../db/connect.ts'
import { transaction } from '../../db/transaction.ts'
import { enqueue } from '../../queue/store.ts'
import { recordAudit, type Actor } from '../../users/audit.ts'
import { Refusal } from '../../values/refusal.ts'
import { routeQueue } from '../dispatch/queues.ts'
import { PRIORITY } from '../draft.ts'
import { hasSubmission, hastenJobs, listWaiting, lockQueued, readAttempts, type AttemptsRow } from './store.ts'

export type Requeued = { recipients: string[]; queues: string[] }

/**
 * Makes the next attempt at queued deliveries due now, and gives those without a job a new one. Deliveries that a carrier
 * has or may have, and those that ended, are refused: another attempt could send or charge them twice. All or none of
 * the recipients that are named; without names, all that can be requeued.
 */
export async function requeueMessage(
  { db }: { db: Db },
  who: Actor,
  organisation_id: string,
  message_id: string,
  recipient: string | undefined,
): Promise<Requeued> {
  return transaction(db, async (tx) => {
    const queued = (await lockQueued(tx, organisation_id, message_id)).filter(
      (one) => recipient === undefined || one.recipient === recipient,
    )
    if (queued.length === 0) throw await whyNot(tx, organisation_id, message_id, recipient)
    const requeued = await requeueEach(tx, organisation_id, message_id, queued)
    await recordAudit(tx, who, {
      organisation_id,
      action: 'message.requeue',
      subject: message_id,
      after: { deliveries: requeued.recipients.length },
    })
    return requeued
  })
}

async function requeueEach(
  tx: Tx,
  organisation_id: string,
  message_id: string,
  queued: readonly AttemptsRow[],
): Promise<Requeued> {
  const waiting = await listWaiting(
    tx,
    organisation_id,
    message_id,
    queued.map(({ recipient }) => recipient),
  )
  const has_job = new Set(waiting.map(({ recipient }) => recipient))
  const job_ids = waiting.flatMap(({ job_id }) => job_id ?? [])
  const hastened = await hastenJobs(tx, organisation_id, job_ids)
  const orphans: AttemptsRow[] = []
  for (const one of queued.filter(({ recipient }) => !has_job.has(recipient))) {
    if (one.carrier === null && !(await hasSubmission(tx, organisation_id, message_id, one.recipient)))
      orphans.push(one)
  }
  for (const { recipient, route, is_sealed } of orphans) {
    const job = {
      lane: organisation_id,
      organisation_id,
      subject_id: message_id,
      subject_key: recipient,
      priority: is_sealed ? PRIORITY.otp : PRIORITY.single,
    }
    await enqueue(tx, routeQueue(route), [job])
  }
  const recipients = [...hastened, ...orphans].map(({ recipient }) => recipient)
  if (recipients.length === 0) {
    throw new Refusal(
      'conflict',
      waiting.some(({ is_held }) => is_held)
        ? 'Its organisation is on hold, because it was exported or restored.'
        : job_ids.length > 0
          ? 'A process is submitting it now.'
          : 'A carrier may have it: another attempt could send it twice. Its report decides.',
    )
  }
  const queues = [...hastened.map(({ queue }) => queue), ...orphans.map(({ route }) => routeQueue(route))]
  return { recipients, queues: [...new Set(queues)] }
}

async function whyNot(
  tx: Tx,
  organisation_id: string,
  message_id: string,
  recipient: string | undefined,
): Promise<Refusal> {
  if (recipient !== undefined) {
    const [row] = await readAttempts(tx, organisation_id, message_id, [recipient])
    if (row) return new Refusal('conflict', `${recipient} cannot be requeued: ${whyFinal(row)}`)
  }
  return new Refusal(
    'conflict',
    'No delivery of this message waits for another attempt. One that was never tried is submitted as soon as its route takes it; gangan messages show says what holds it back.',
  )
}

function whyFinal({ status }: AttemptsRow): string {
  return WHY_FINAL[status] ?? `it is ${status}.`
}

const WHY_FINAL: Partial<Record<AttemptsRow['status'], string>> = {
  scheduled: 'it is scheduled.',
  sent: 'a carrier has it.',
  unknown: 'a carrier may have it: another attempt could send it twice.',
  failed: 'it failed and is refunded. Send a new message.',
  rejected: 'it was rejected and is refunded. Send a new message.',
}
