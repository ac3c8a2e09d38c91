import type { Db } from '../../db/connect.ts'
import type { Wakeups } from '../../queue/wakeups.ts'
import type { CarrierReport, KnownDelivery, TakeReports } from '../message-carrier.ts'
import { isOfSim, reportOf, type Failure } from './failure.ts'
import { storeStates, type RecordedMessage } from './message-store.ts'
import { carrierQueue } from './queues.ts'
import type { GivenState } from './read-requests.ts'
import { countSimFailures, resetSimFailures, type Phone } from './store.ts'

const REPORT_DUE_S = 72 * 3_600

/**
 * Stores the states of messages that a phone has sent. The phone repeats them until it gets our answer, which therefore
 * follows the commit. A failure before the message was answered as accepted is no report: it is the answer itself.
 */
export async function recordStates(
  { db, wakeups, takeReports }: { db: Db; wakeups: Wakeups; takeReports: TakeReports },
  { id, carrier }: Phone,
  given: readonly GivenState[],
): Promise<void> {
  if (given.length === 0) return
  const recorded = await storeStates(db, id, given)
  const reports = recorded.flatMap((one) => reportOn(carrier, one))
  const known = recorded.filter(isUnanswered).map((one) => knownDelivery(carrier, one))
  await takeReports(reports, known)
  wakeups.wake(carrierQueue(carrier))
  const working = recorded.filter(({ phone_state }) => phone_state === 'Sent' || phone_state === 'Delivered')
  if (working.length > 0) await resetSimFailures(db, id, simsOf(working))
  const failing = recorded.filter((one) => hasFailedNow(one) && isOfSim(failureOf(one)))
  if (failing.length > 0) await countSimFailures(db, id, simsOf(failing))
}

function reportOn(carrier: string, one: RecordedMessage): CarrierReport[] {
  const about = { carrier, carrier_message_id: one.id }
  if (one.phone_state === 'Delivered') return [{ ...about, status: 'delivered', code: '000', description: 'delivered' }]
  if (one.state !== 'failed' || !one.answered) return []
  return [{ ...about, ...reportOf(failureOf(one)) }]
}

/** It failed with these states, and not before. */
function hasFailedNow({ state_before, state }: RecordedMessage): boolean {
  return state === 'failed' && state_before !== 'failed'
}

/** Delivered without having been answered as accepted: the process that submitted it gave it up, or crashed. */
function isUnanswered({ phone_state, answered }: RecordedMessage): boolean {
  return phone_state === 'Delivered' && !answered
}

function knownDelivery(carrier: string, one: RecordedMessage): KnownDelivery {
  const { id: carrier_message_id, organisation_id, message_id, recipient } = one
  return { carrier, carrier_message_id, organisation_id, message_id, recipient, report_due_s: REPORT_DUE_S }
}

function failureOf({ phone_state, error, was_sent }: RecordedMessage): Failure {
  return { phone_state, error, was_sent: was_sent || (error?.startsWith('Delivery result') ?? false) }
}

function simsOf(recorded: readonly RecordedMessage[]): number[] {
  return [...new Set(recorded.map(({ sim }) => sim))]
}
