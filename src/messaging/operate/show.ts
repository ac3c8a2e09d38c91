import type { Db } from '../../db/connect.ts'
import { OPERATOR } from '../../users/viewer.ts'
import { present } from '../../values/record.ts'
import { codeOf } from '../../values/thrown.ts'
import { findDeliveries, readTimeline } from '../read/timeline.ts'
import type { Hold, ShownDelivery, TimelineEvent } from '../read/schema.ts'
import { listSubmissions, listWaiting, readAttempts, type SubmissionRow, type WaitingRow } from './store.ts'

export type OperatedDelivery = ShownDelivery & {
  events: TimelineEvent[]
  /** Why it has not been submitted, for one that is queued. */
  waits?: Waits
  /** Carriers that rejected it, in order. */
  tried?: readonly string[]
  /** What carriers call it, until its report has arrived. */
  submissions?: Omit<SubmissionRow, 'recipient'>[]
}

export type Waits = {
  reason: Hold['reason'] | 'in_flight' | 'retry' | 'due' | 'no_job' | 'on_hold'
  detail: string
  /** Attempts so far. */
  attempts: number
  /** The next attempt, or the end of what holds it back. */
  until?: string
}

const SUBMISSIONS_TIMEOUT_MS = 2_000
/** SQLSTATE of a statement that was canceled by its timeout. */
const QUERY_CANCELED = '57014'

/** Deliveries of a message as an operator needs them, with what keeps them from being sent. */
export async function showDeliveries(
  deps: { db: Db; public_url: string; readHolds: () => Promise<readonly Hold[]> },
  organisation_id: string,
  message_id: string,
  { recipient, limit }: { recipient?: string | undefined; limit: number },
): Promise<{ deliveries: OperatedDelivery[]; has_more: boolean }> {
  const { deliveries, pagination } = await findDeliveries(
    deps,
    organisation_id,
    message_id,
    { recipient, limit },
    limit,
    OPERATOR,
  )
  const recipients = deliveries.map((one) => one.recipient)
  const [waiting, attempts, submissions, holds] = await Promise.all([
    listWaiting(deps.db, organisation_id, message_id, recipients),
    readAttempts(deps.db, organisation_id, message_id, recipients),
    submissionsOf(deps.db, organisation_id, message_id),
    deps.readHolds(),
  ])
  const shown: OperatedDelivery[] = []
  for (const delivery of deliveries) {
    const { events } = await readTimeline(deps, organisation_id, message_id, delivery.recipient, OPERATOR)
    const job = waiting.find((one) => one.recipient === delivery.recipient)
    const own = submissions.filter((one) => one.recipient === delivery.recipient)
    const { tried } = attempts.find((one) => one.recipient === delivery.recipient) ?? {}
    shown.push({
      ...delivery,
      events,
      ...present('waits', delivery.status === 'queued' ? whyItWaits(job, holds) : undefined),
      ...present('tried', tried),
      ...present('submissions', own.length === 0 ? undefined : own.map(({ recipient: _same, ...rest }) => rest)),
    })
  }
  return { deliveries: shown, has_more: pagination.next_page === 'True' }
}

/** None where they cannot be read in time. */
async function submissionsOf(db: Db, organisation_id: string, message_id: string): Promise<SubmissionRow[]> {
  try {
    return await listSubmissions(db, organisation_id, message_id, SUBMISSIONS_TIMEOUT_MS)
  } catch (fault) {
    if (codeOf(fault) === QUERY_CANCELED) return []
    throw fault
  }
}

export function whyItWaits(job: WaitingRow | undefined, holds: readonly Hold[], now = new Date()): Waits {
  if (!job) {
    return { reason: 'no_job', detail: 'nothing is scheduled for it; gangan messages requeue repairs it', attempts: 0 }
  }
  const { attempts, queue, due } = job
  if (job.is_held) {
    return { reason: 'on_hold', detail: 'its organisation was exported or restored and is not resumed', attempts }
  }
  if (job.is_leased) return { reason: 'in_flight', detail: 'a process is submitting it', attempts }
  const is_due = Date.parse(due) <= now.getTime()
  // `refused` is about messages that are not due, the other reasons about those that are.
  const hold = holds.find((one) => one.queue === queue && (one.reason === 'refused') !== is_due)
  if (hold && is_due) {
    return { reason: hold.reason, detail: hold.detail, attempts, ...present('until', hold.until) }
  }
  if (!is_due) {
    const detail = hold?.detail ?? 'the carrier did not take it yet'
    return { reason: 'retry', detail, attempts, until: due }
  }
  return { reason: 'due', detail: 'it is due and nothing holds its route: it is submitted in its turn', attempts }
}
