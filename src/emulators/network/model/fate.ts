import type { StatusName } from '../../../carriers/codec/status.ts'
import type { Carrier, Towards } from './carrier.ts'
import { derive, draw, drawDelay } from './draw.ts'
import type { Roaming, Subscriber } from './subscribers.ts'
import { outageAt, shareAt, type Outage } from './timetable.ts'

/** What becomes of a submitted message. Times are simulated milliseconds since its submission. */
export type Fate = {
  end: End
  /** Index of the operator that serves the number; -1: none. */
  operator: number
  /** Of the answer; null: there is none, because the carrier cannot be reached or is silent. */
  status: StatusName | null
  answer_after_ms: number
  /** When the phone shows it; null: never. */
  shown_after_ms: number | null
  /** Null: the carrier sends none. */
  receipt: Receipt | null
  /** In ten-thousandths of the currency unit. */
  cost: number
}

/**
 * - `unanswered`: the carrier cannot be reached or is silent
 * - `rejected`: answered with an error
 * - `delivered`: the phone shows it
 * - `faked`: not delivered, but reported as delivered
 * - `lost`: accepted, neither delivered nor reported
 * - `undelivered`: the carrier or the network reports that it cannot be delivered
 * - `expired`: the phone could not be reached in time
 */
export type End = 'unanswered' | 'rejected' | 'delivered' | 'faked' | 'lost' | 'undelivered' | 'expired'

/** `stat` and `err` as Nigerian carriers use them. */
export type Receipt = { stat: 'DELIVRD' | 'UNDELIV' | 'EXPIRED'; err: string; after_ms: number }

export type Submission = {
  carrier: Carrier
  subscriber: Subscriber
  roaming: Roaming
  /** Identifies the attempt among those of this carrier to this number. */
  key: number
  at_ms: number
  validity_ms: number
}

/** What else is drawn of an attempt. */
const DRAW = { answer: 1, rejected: 2, quality: 3, delivery: 4, receipt: 5, unreported: 6, roaming: 7, slower: 8 }

const ERR = { delivered: '000', absent: '004', inbox_full: '254', expired: '027', carrier: '032', ported: '439' }

export function decideFate(submission: Submission): Fate {
  const { carrier, subscriber, key, at_ms } = submission
  const outage = outageAt(carrier.outages, at_ms)
  const { operator } = subscriber
  if (outage?.kind === 'refused' || outage?.kind === 'silent') return { ...UNANSWERED, operator }
  const answer_after_ms = drawDelay(carrier.answer, key, DRAW.answer)
  const towards = carrier.towards[operator]
  const status = towards ? rejectionOf(towards, outage, draw(key, DRAW.rejected)) : 'RINVDSTADR'
  if (!towards || status !== null) return { ...REJECTED, operator, status, answer_after_ms }
  const { end, shown_after_ms, receipt } = outage?.kind === 'drops' ? LOST : carry(submission, towards, answer_after_ms)
  const is_free = carrier.is_charged_for_reports && receipt?.stat !== 'DELIVRD'
  const cost = is_free ? 0 : towards.price
  return { end, operator, status: 'ROK', answer_after_ms, shown_after_ms, receipt, cost }
}

/** The key of one attempt of a carrier to a number. */
export function attemptKey(carrier: Carrier, subscriber: Subscriber, attempt: number): number {
  return derive(carrier.key ^ subscriber.key, attempt)
}

type Carried = Pick<Fate, 'end' | 'shown_after_ms' | 'receipt'>

const NOTHING = { shown_after_ms: null, receipt: null, cost: 0 }
const UNANSWERED = { ...NOTHING, end: 'unanswered', status: null, answer_after_ms: 0 } as const
const REJECTED = { ...NOTHING, end: 'rejected' } as const
const LOST: Carried = { end: 'lost', shown_after_ms: null, receipt: null }

function rejectionOf({ rejected }: Towards, outage: Outage | undefined, chance: number): StatusName | null {
  if (outage?.kind === 'rejects') return outage.status
  let left = chance
  for (const { status, share } of rejected) if ((left -= share) < 0) return status
  return null
}

function carry(submission: Submission, towards: Towards, accepted_ms: number): Carried {
  const { carrier, key, at_ms, subscriber } = submission
  let left = draw(key, DRAW.quality)
  if ((left -= shareAt(towards.faked, at_ms)) < 0) {
    const after_ms = accepted_ms + drawDelay(carrier.faked_receipt, key, DRAW.receipt)
    return { end: 'faked', shown_after_ms: null, receipt: { stat: 'DELIVRD', err: ERR.delivered, after_ms } }
  }
  if ((left -= shareAt(towards.lost, at_ms)) < 0) return LOST
  const { state, is_ported } = subscriber
  if ((left -= shareAt(towards.undelivered, at_ms)) < 0) return undelivered(submission, towards, ERR.carrier)
  if (is_ported && !carrier.follows_porting) return undelivered(submission, towards, ERR.ported)
  if (state === 'absent') return undelivered(submission, towards, ERR.absent)
  if (state === 'inbox_full') return undelivered(submission, towards, ERR.inbox_full)
  return reach(submission, towards, accepted_ms)
}

function undelivered(submission: Submission, towards: Towards, err: string): Carried {
  const { key } = submission
  const after_ms = drawDelay(towards.delivery, key, DRAW.delivery)
  return {
    end: 'undelivered',
    shown_after_ms: null,
    receipt: receiptAfter(submission, towards, 'UNDELIV', err, after_ms),
  }
}

/** The network tries until the phone is on, or the message expires. */
function reach(submission: Submission, towards: Towards, accepted_ms: number): Carried {
  const { key, subscriber, roaming, validity_ms } = submission
  const is_roaming = subscriber.state === 'roaming'
  const is_unreachable = is_roaming && draw(key, DRAW.roaming) < roaming.lost
  const slower_ms = is_roaming && roaming.slower_by ? drawDelay(roaming.slower_by, key, DRAW.slower) : 0
  const delivery_ms = drawDelay(towards.delivery, key, DRAW.delivery)
  const shown_after_ms = accepted_ms + subscriber.off_for_ms + delivery_ms + slower_ms
  if (is_unreachable || subscriber.off_for_ms > validity_ms) {
    const receipt = receiptAfter(submission, towards, 'EXPIRED', ERR.expired, validity_ms)
    return { end: 'expired', shown_after_ms: null, receipt }
  }
  const receipt = receiptAfter(submission, towards, 'DELIVRD', ERR.delivered, shown_after_ms)
  return { end: 'delivered', shown_after_ms, receipt }
}

function receiptAfter(
  { carrier, key, at_ms }: Submission,
  { unreported }: Towards,
  stat: Receipt['stat'],
  err: string,
  ended_ms: number,
): Receipt | null {
  if (draw(key, DRAW.unreported) < shareAt(unreported, at_ms)) return null
  return { stat, err, after_ms: ended_ms + drawDelay(carrier.receipt, key, DRAW.receipt) }
}
