import type { Cost } from '../carriers/costs.ts'
import type { Channel, OutgoingMessage } from '../carriers/message-carrier.ts'
import { causeOf } from '../carriers/rejection-cause.ts'
import type { Choice } from '../choice/choice.ts'
import { originOfErasable } from '../numbers/prefix-table.ts'
import { hourOf, type EvidenceKey, type MessageClass, type Rejection } from '../observe/evidence.ts'
import type { Meters } from '../observe/meters.ts'
import { madeAt } from '../values/id.ts'
import type { Outcome } from './dispatch/decide.ts'
import { isInternal, routeOf } from './dispatch/queues.ts'
import type { DispatchTarget } from './dispatch/target.ts'
import { classOf, pendingClassOf } from './routing.ts'
import type { Changed } from './settle/store.ts'

/*
 * What becomes of the messages that carriers are given: counted when a carrier has answered, when a report has moved a
 * delivery, and when a one-time password was verified. Messages of test keys are not counted.
 */

type Counting = Pick<Meters, 'evidence' | 'carrier_messages' | 'report_times'>
/** The choice of its carrier, if the route chooses. */
type Chosen = { choice?: Pick<Choice, 'advised' | 'saved' | 'gained'> | undefined }
type Delivery = { message_id: string; recipient: string; channel: Channel; sealed_text: Buffer | null }

/** A message is judged this long after it was submitted: verified, or delivered, or neither. */
const JUDGED_AFTER_MS = { otp: 60_000, other: 300_000 }
/** A one-time password that was reported as delivered is compared with its verification this long after it was submitted. */
const CLAIM_JUDGED_AFTER_MS = 300_000
/** Only of reports as fast as this. A person who waits longer may enter the token of another message. */
export const CLAIMED_WITHIN_S = 10

/** Deliveries that a carrier has accepted. */
export function noteAccepted(
  meters: Counting,
  { route, channel }: { route: string; channel?: Channel | undefined },
  sent: readonly { delivery: Delivery & Chosen; carrier: string; cost?: Cost | undefined }[],
): void {
  if (isInternal(route)) return
  const now_ms = Date.now()
  for (const { delivery, carrier, cost } of sent) {
    const its_class = pendingClassOf(delivery)
    const key = keyOf(delivery, { carrier, channel: channel ?? delivery.channel, class: its_class })
    meters.evidence.note(key, { submitted: 1, cost: Number(cost?.cost ?? 0n) })
    if (delivery.choice?.advised !== undefined) noteAdvised(meters, key, delivery.choice)
    meters.evidence.noteAt(now_ms + JUDGED_AFTER_MS[its_class], key, { judged: 1 })
    meters.carrier_messages.inc({ carrier, class: its_class, event: 'submitted' })
  }
}

function noteAdvised(
  { evidence }: Counting,
  key: EvidenceKey,
  { saved, gained }: { saved: number; gained: number },
): void {
  evidence.note(key, { advised: 1, saved: Math.round(saved), gained: Math.round(gained * TEN_THOUSAND) })
}

const TEN_THOUSAND = 10_000

/** Messages that are submitted to a carrier that wants feedback also on one-time passwords that are not verified. */
export function noteAwaited({ evidence }: Pick<Meters, 'evidence'>, messages: readonly OutgoingMessage[]): void {
  const now_ms = Date.now()
  for (const { organisation_id, message_id, recipient, urgent, expires_in_s } of messages) {
    if (!urgent || expires_in_s === null) continue
    evidence.noteAwaited({ organisation_id, message_id, recipient, ends_ms: now_ms + 1_000 * expires_in_s })
  }
}

/** The outcome of an attempt, unless the carrier accepted it or did not get it. */
export function noteNotAccepted(meters: Counting, target: DispatchTarget, delivery: Delivery, outcome: Outcome): void {
  const cause = rejectionOf(outcome)
  if (cause === undefined || isInternal(routeOf(target.queue))) return
  const { name: carrier } = target.carrier
  const its_class = pendingClassOf(delivery)
  const key = keyOf(delivery, { carrier, channel: target.channel ?? delivery.channel, class: its_class })
  meters.evidence.noteRejected(key, cause)
  meters.carrier_messages.inc({ carrier, class: its_class, event: 'rejected' })
}

function rejectionOf(outcome: Outcome): Rejection | undefined {
  switch (outcome.kind) {
    case 'rejected':
    case 'undelivered':
      return causeOf(outcome.description)
    case 'temporary':
      return 'temporary'
    case 'unknown':
      return 'unanswered'
    case 'accepted':
    case 'held':
    case 'failed':
    case 'given_up':
      return undefined
  }
}

/** Deliveries that reached another state. One that had not left `queued` was counted when the carrier answered. */
export function noteReported(
  meters: Counting,
  channelOf: (route: string) => Channel | undefined,
  changed: readonly Changed[],
): void {
  for (const one of changed) {
    const { carrier, route, status, was } = one
    if (carrier === null || carrier === undefined || isInternal(route)) continue
    const its_class = classOf(one.routing)
    const key = keyOf(one, { carrier, channel: channelOf(route) ?? one.channel, class: its_class })
    if (status === 'delivered') {
      const before = was === 'unknown' ? { no_report: -1 } : was === 'expired' ? { undelivered: -1 } : {}
      meters.evidence.note(key, { delivered: 1, ...before })
      noteReport(meters, key, one)
      if (its_class === 'other') noteGood(meters, key, sentAt(one))
      else if (reportedAfterS(one) <= CLAIMED_WITHIN_S) noteClaim(meters, key, sentAt(one), 'claimed')
      const compared = meters.evidence.reached.noteReached(one.recipient, carrier)
      if (compared) meters.evidence.note(key, { [compared]: 1 })
    } else if (was === 'sent') {
      const event = status === 'unknown' ? 'no_report' : 'undelivered'
      const waived = one.cost_if_delivered ? Number(one.cost ?? 0n) : 0
      meters.evidence.note(key, { [event]: 1, cost: -waived })
      if (event === 'undelivered') {
        noteReport(meters, key, one)
        if (causeOf(one.description ?? '') === 'number') meters.evidence.reached.noteAbsent(one.recipient, carrier)
      } else meters.carrier_messages.inc({ carrier, class: its_class, event })
    }
  }
}

function noteReport(meters: Counting, key: EvidenceKey, one: Changed): void {
  const { carrier, class: its_class } = key
  const after_s = reportedAfterS(one)
  meters.evidence.noteReport(key, after_s)
  meters.report_times.observe({ carrier, class: its_class }, after_s)
  const event = one.status === 'delivered' ? 'delivered' : 'undelivered'
  meters.carrier_messages.inc({ carrier, class: its_class, event })
}

function reportedAfterS(one: Changed): number {
  return Math.max(0, (Date.parse(one.updated_datetime) - sentAt(one)) / 1_000)
}

/** When the carrier accepted it; a report may arrive before its answer is recorded. */
function sentAt({ sent_datetime, updated_datetime }: Changed): number {
  return Date.parse(sent_datetime ?? updated_datetime)
}

/** A one-time password that was verified: the message with its id has carried it. */
export function noteVerifiedMessage(
  meters: Counting,
  organisation_id: string,
  { id, recipient }: { id: string; recipient: string },
): void {
  meters.evidence.noteVerified({ organisation_id, message_id: id, recipient })
}

/** A verified one-time password whose carrier was found. */
export function noteVerifiedBy(
  meters: Counting,
  verified: { message_id: string; recipient: string; carrier: string; channel: Channel; is_claimed: boolean },
): void {
  const { carrier, channel, is_claimed } = verified
  const key = keyOf(verified, { carrier, channel, class: 'otp' })
  meters.evidence.note(key, { verified: 1 })
  meters.carrier_messages.inc({ carrier, class: 'otp', event: 'verified' })
  noteGood(meters, key, madeAt(verified.message_id))
  if (is_claimed) noteClaim(meters, key, madeAt(verified.message_id), 'proven')
}

/** Counted together with those that are judged at the same time, so that their share is never too high. */
function noteGood({ evidence }: Counting, key: EvidenceKey, submitted_ms: number): void {
  evidence.noteAt(Math.max(Date.now(), submitted_ms + JUDGED_AFTER_MS[key.class]), key, { good: 1 })
}

/** Claims and their proofs are counted at the same time, so that a carrier that has just begun is not suspected. */
function noteClaim({ evidence }: Counting, key: EvidenceKey, submitted_ms: number, as: 'claimed' | 'proven'): void {
  evidence.noteAt(Math.max(Date.now(), submitted_ms + CLAIM_JUDGED_AFTER_MS), key, { [as]: 1 })
}

/** By the prefix of the number, as costs are. */
function keyOf(
  { message_id, recipient }: { message_id: string; recipient: string },
  { carrier, channel, class: its_class }: { carrier: string; channel: Channel; class: MessageClass },
): EvidenceKey {
  const { country, operator } = originOfErasable(recipient)
  return { hour: hourOf(madeAt(message_id)), carrier, country, operator, channel, class: its_class }
}
