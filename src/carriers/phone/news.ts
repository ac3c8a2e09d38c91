import type { Db } from '../../db/connect.ts'
import type { Wakeups } from '../../queue/wakeups.ts'
import type { CarrierReport, KnownDelivery, TakeReports } from '../message-carrier.ts'
import { carrierQueue } from './calls.ts'
import { isOfSim, reportOf, type Failure } from './failure.ts'
import { noteStates, type NotedMessage } from './message-store.ts'
import type { GivenState } from './read-calls.ts'
import { noteFailing, noteWorking, type Phone } from './store.ts'

const REPORT_DUE_S = 72 * 3_600

/**
 * What a phone says about messages. Resolves once it is stored; only then is the phone told that we have it, and until
 * then it says it again. A failure of which the route was not told yet that the phone has the message is no report: it is
 * the answer that the route waits for.
 */
export async function noteNews(
  { db, wakeups, takeReports }: { db: Db; wakeups: Wakeups; takeReports: TakeReports },
  { id, carrier }: Phone,
  given: readonly GivenState[],
): Promise<void> {
  if (given.length === 0) return
  const noted = await noteStates(db, id, given)
  const reports = noted.flatMap((one) => reportOn(carrier, one))
  const known = noted.filter(isNews).map((one) => knownDelivery(carrier, one))
  await takeReports(reports, known)
  wakeups.wake(carrierQueue(carrier))
  const working = noted.filter(({ phone_state }) => phone_state === 'Sent' || phone_state === 'Delivered')
  if (working.length > 0) await noteWorking(db, id, simsOf(working))
  const failing = noted.filter((one) => hasFailed(one) && isOfSim(failureOf(one)))
  if (failing.length > 0) await noteFailing(db, id, simsOf(failing))
}

function reportOn(carrier: string, one: NotedMessage): CarrierReport[] {
  const about = { carrier, carrier_message_id: one.id }
  if (one.phone_state === 'Delivered') return [{ ...about, status: 'delivered', code: '000', description: 'delivered' }]
  if (one.state !== 'failed' || !one.answered) return []
  return [{ ...about, ...reportOf(failureOf(one)) }]
}

/** Now, and not when it said so before. */
function hasFailed({ state_before, state }: NotedMessage): boolean {
  return state === 'failed' && state_before !== 'failed'
}

/** Delivered, though nobody was told that a phone has it: whoever waited for it gave it up, or died. */
function isNews({ phone_state, answered }: NotedMessage): boolean {
  return phone_state === 'Delivered' && !answered
}

function knownDelivery(carrier: string, one: NotedMessage): KnownDelivery {
  const { id: carrier_message_id, organisation_id, message_id, recipient } = one
  return { carrier, carrier_message_id, organisation_id, message_id, recipient, report_due_s: REPORT_DUE_S }
}

function failureOf({ phone_state, error, was_sent }: NotedMessage): Failure {
  return { phone_state, error, was_sent: was_sent || (error?.startsWith('Delivery result') ?? false) }
}

function simsOf(noted: readonly NotedMessage[]): number[] {
  return [...new Set(noted.map(({ sim }) => sim))]
}
