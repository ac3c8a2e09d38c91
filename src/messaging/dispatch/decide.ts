import type { SubmitOutcome, TakenSegments } from '../../carriers/message-carrier.ts'
import { NO_ID, numberKey } from '../../carriers/message-id.ts'
import type { Change } from '../settle/store.ts'
import { carriesNothing } from './refusing-carrier.ts'
import type { Attempt, DispatchTarget, Routable } from './target.ts'

export type Outcome =
  | SubmitOutcome
  | { kind: 'failed'; description: string }
  /** A carrier may have it from an earlier attempt, and there will be no other. */
  | { kind: 'given_up'; description: string }

/** What follows from the outcome of an attempt that was not accepted. */
export type Decision = (
  | ({ kind: 'ended' } & Pick<Change, 'status' | 'code' | 'description'>)
  | { kind: 'retry'; delay_ms: number }
  /** The next carrier gets it, in this queue. */
  | { kind: 'failover'; queue: string }
  /** As if there had been no attempt. */
  | { kind: 'held'; delay_ms?: number | undefined }
) & {
  /** Segments the carrier certainly has, with their ids. */
  taken?: readonly TakenSegments[]
  /** Stored with a delivery that is not final, see `Attempt`. */
  possible_carrier?: string
}

export type Tried = Routable & Pick<Attempt, 'attempt' | 'interrupted' | 'possible_carrier'>

/** After this many temporary rejections a message is `failed` and refunded. */
const MAX_ATTEMPTS = 12
/** If there is another carrier to try. */
const MAX_ATTEMPTS_BEFORE_NEXT = 3
const LONGEST_RETRY_S = 300
const NUMBER_KEPT_S = 72 * 3_600
const TAKEN_BEFORE = 'it may have been accepted at an earlier attempt; a later one was rejected'

type Accepted = Extract<Outcome, { kind: 'accepted' }>
export type NotAccepted = Exclude<Outcome, Accepted>

/**
 * Decides what to store for an outcome. A delivery that a carrier may have from an earlier attempt keeps the name of that
 * carrier while it waits, and ends as `unknown` instead of `failed` or `rejected`, which are refunded.
 */
export function decide(target: DispatchTarget, tried: Tried, outcome: NotAccepted): Decision {
  const decision = decideAttempt(target, tried, outcome)
  const possible_carrier = tried.possible_carrier ?? (isInDoubt(target, tried, outcome) ? target.carrier.name : null)
  if (possible_carrier === null) return decision
  if (decision.kind !== 'ended') return { ...decision, possible_carrier }
  if (outcome.kind === 'unknown' || outcome.kind === 'given_up' || target.on_unknown === 'fail') return decision
  if (decision.status !== 'failed' && decision.status !== 'rejected') return decision
  return leaveUnknown(target, { ...tried, possible_carrier }, `${TAKEN_BEFORE}: ${decision.description}`)
}

/**
 * Whether the carrier may have the message. A carrier that recognises repeated messages, and serves its queue alone, is
 * believed when it rejects what a dead worker had in flight.
 */
function isInDoubt({ carrier, shared }: DispatchTarget, { interrupted }: Tried, { kind }: NotAccepted): boolean {
  if (kind === 'unknown') return true
  if (!interrupted || carriesNothing(carrier)) return false
  return kind !== 'rejected' || !carrier.resubmittable || shared === true
}

function decideAttempt(target: DispatchTarget, tried: Tried, outcome: NotAccepted): Decision {
  switch (outcome.kind) {
    case 'rejected': {
      const queue = outcome.elsewhere ? target.nextQueue?.(tried) : undefined
      if (queue !== undefined) return { kind: 'failover', queue }
      return ended('rejected', outcome.code, outcome.description)
    }
    case 'temporary': {
      const queue = tried.attempt >= MAX_ATTEMPTS_BEFORE_NEXT ? target.nextQueue?.(tried) : undefined
      if (queue !== undefined) return { kind: 'failover', queue }
      if (tried.attempt >= MAX_ATTEMPTS) return ended('failed', outcome.code, outcome.description)
      return { kind: 'retry', delay_ms: 1_000 * (outcome.retry_after_s ?? backOff(tried.attempt)) }
    }
    case 'held':
      return { kind: 'held', delay_ms: outcome.retry_after_s && 1_000 * outcome.retry_after_s }
    case 'undelivered':
      return ended('undelivered', outcome.code, outcome.description)
    case 'failed':
      return ended('failed', null, outcome.description)
    case 'unknown':
      return decideUnknown(target, tried, outcome)
    case 'given_up':
      return leaveUnknown(target, tried, outcome.description)
  }
}

/**
 * The ids of an accepted message's segments. Some carriers accept a message without an id. Since all such messages would
 * share the empty id, the number is used instead; not for one of several segments, because a report on the number would not
 * say which segment.
 */
export function idsOf({ carrier_message_id, further_ids }: Accepted, recipient: string): string[] {
  if (!further_ids || further_ids.length === 0) return [carrier_message_id || numberKey(recipient)]
  return [carrier_message_id, ...further_ids].map((id) => id || NO_ID)
}

function decideUnknown(
  target: DispatchTarget,
  tried: Tried,
  { taken, description, in_segments }: Extract<Outcome, { kind: 'unknown' }>,
): Decision {
  const known = taken ? [taken] : []
  const may_repeat = tried.sealed_text !== null && target.on_unknown !== 'hold' && target.on_unknown !== 'fail'
  if (may_repeat && tried.attempt < MAX_ATTEMPTS_BEFORE_NEXT) return { kind: 'retry', delay_ms: 0, taken: known }
  const decision = leaveUnknown(target, { ...tried, possible_carrier: target.carrier.name }, description, in_segments)
  return { ...decision, taken: [...known, ...(decision.taken ?? [])] }
}

function leaveUnknown(
  { carrier, on_unknown }: DispatchTarget,
  { recipient, pages, possible_carrier }: Tried,
  description: string | null,
  in_segments = pages > 1,
): Decision {
  if (on_unknown === 'fail') return ended('failed', null, description)
  // A report on the number does not say which segment; and from another carrier it would be about another message.
  const is_here = possible_carrier === null || possible_carrier === carrier.name
  const by_number = in_segments || !is_here ? [] : [takenByNumber(recipient)]
  return { ...ended('unknown', null, description), taken: by_number }
}

function ended(status: Change['status'], code: string | null, description: string | null): Decision {
  return { kind: 'ended', status, code, description }
}

/** The carrier's id was lost: a report with an unknown id on this number is matched to the delivery. */
function takenByNumber(recipient: string): TakenSegments {
  return { segments: 1, ids: [{ segment: 1, carrier_message_id: numberKey(recipient) }], report_due_s: NUMBER_KEPT_S }
}

function backOff(attempts: number): number {
  return Math.min(LONGEST_RETRY_S, 2 ** (attempts - 1))
}
