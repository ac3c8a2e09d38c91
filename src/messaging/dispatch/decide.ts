import type { SubmitOutcome, TakenSegments } from '../../carriers/message-carrier.ts'
import { NO_ID, numberKey } from '../../carriers/message-id.ts'
import type { Change } from '../settle/store.ts'
import { carriesNothing } from './refusing-carrier.ts'
import type { DispatchTarget } from './target.ts'

export type Outcome =
  | SubmitOutcome
  | { kind: 'failed'; description: string }
  /** A carrier may have it from an earlier try, and there is no other. */
  | { kind: 'given_up'; description: string }

/** What follows from what a carrier said about a message. */
export type Decision = (
  | { kind: 'sent'; ids: string[]; report_due_s: number }
  | ({ kind: 'ended' } & Pick<Change, 'status' | 'code' | 'description'>)
  | { kind: 'again'; delay_ms: number }
  /** It waits for the next carrier. */
  | { kind: 'moved' }
  /** As if it had not been tried. */
  | { kind: 'held'; delay_ms?: number | undefined }
) & {
  /** What the carrier surely has of it, and calls by these ids. */
  taken?: readonly TakenSegments[]
  /** To be remembered of what waits, see `Tried`. */
  maybe_with?: string
}

/** A message that was tried. */
export type Tried = {
  recipient: string
  attempts: number
  is_secret: boolean
  pages: number
  /** Who had it before died with it. */
  interrupted: boolean
  /** The carrier that may have it from an earlier try. */
  maybe_with: string | null
}

/** A network that does not take a message this often will not: it is `failed` and refunded. */
const MAX_ATTEMPTS = 12
/** With another carrier to try, fewer tries. */
const MAX_ATTEMPTS_BEFORE_NEXT = 3
const LONGEST_RETRY_S = 300
const NUMBER_KEPT_S = 72 * 3_600
const TAKEN_BEFORE = 'it may have been taken at an earlier try; a later one was refused'

/**
 * What may be with a carrier from an earlier try was not surely never carried, whatever becomes of a later one: that is
 * remembered while it waits, and it ends as `unknown` instead of `failed` or `rejected`, which are refunded.
 */
export function decide(target: DispatchTarget, tried: Tried, outcome: Outcome): Decision {
  const decision = decideTry(target, tried, outcome)
  const maybe_with = tried.maybe_with ?? (isInDoubt(target, tried, outcome) ? target.carrier.name : null)
  if (maybe_with === null || decision.kind === 'sent') return decision
  if (decision.kind !== 'ended') return { ...decision, maybe_with }
  if (outcome.kind === 'unknown' || outcome.kind === 'given_up' || target.on_unknown === 'fail') return decision
  if (decision.status !== 'failed' && decision.status !== 'rejected') return decision
  return leaveUnknown(target, { ...tried, maybe_with }, `${TAKEN_BEFORE}: ${decision.description}`)
}

/**
 * A carrier that knows what it was handed, and that alone can have been, is believed when it refuses what a dead worker
 * had in hand.
 */
function isInDoubt({ carrier, shared }: DispatchTarget, { interrupted }: Tried, { kind }: Outcome): boolean {
  if (kind === 'unknown') return true
  if (!interrupted || carriesNothing(carrier)) return false
  return kind !== 'rejected' || !carrier.resubmittable || shared === true
}

function decideTry(target: DispatchTarget, tried: Tried, outcome: Outcome): Decision {
  switch (outcome.kind) {
    case 'accepted': {
      const ids = idsOf([outcome.carrier_message_id, ...(outcome.further_ids ?? [])], tried.recipient)
      return { kind: 'sent', ids, report_due_s: outcome.report_due_s }
    }
    case 'rejected':
      if (outcome.elsewhere && target.next_queue !== undefined) return { kind: 'moved' }
      return ended('rejected', outcome.code, outcome.description)
    case 'temporary':
      if (target.next_queue !== undefined && tried.attempts >= MAX_ATTEMPTS_BEFORE_NEXT) return { kind: 'moved' }
      if (tried.attempts >= MAX_ATTEMPTS) return ended('failed', outcome.code, outcome.description)
      return { kind: 'again', delay_ms: 1_000 * (outcome.retry_after_s ?? backOff(tried.attempts)) }
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
 * Some carriers say yes and give no id. An empty one would be that of all such messages: the number stands for it, unless
 * it is one of several segments, of which a single report would not tell enough.
 */
function idsOf(given: readonly string[], recipient: string): string[] {
  const nameless = given.length === 1 ? numberKey(recipient) : NO_ID
  return given.map((id) => id || nameless)
}

function decideUnknown(
  target: DispatchTarget,
  tried: Tried,
  { taken, description, in_segments }: Extract<Outcome, { kind: 'unknown' }>,
): Decision {
  const known = taken ? [taken] : []
  const may_repeat = tried.is_secret && target.on_unknown !== 'hold' && target.on_unknown !== 'fail'
  if (may_repeat && tried.attempts < MAX_ATTEMPTS_BEFORE_NEXT) return { kind: 'again', delay_ms: 0, taken: known }
  const decision = leaveUnknown(target, { ...tried, maybe_with: target.carrier.name }, description, in_segments)
  return { ...decision, taken: [...known, ...(decision.taken ?? [])] }
}

function leaveUnknown(
  { carrier, on_unknown }: DispatchTarget,
  { recipient, pages, maybe_with }: Tried,
  description: string | null,
  in_segments = pages > 1,
): Decision {
  if (on_unknown === 'fail') return ended('failed', null, description)
  // Of one in segments a single report would not tell enough; from a carrier that has none it would be on another message.
  const is_here = maybe_with === null || maybe_with === carrier.name
  const by_number = in_segments || !is_here ? [] : [takenByNumber(recipient)]
  return { ...ended('unknown', null, description), taken: by_number }
}

function ended(status: Change['status'], code: string | null, description: string | null): Decision {
  return { kind: 'ended', status, code, description }
}

/** Its id was never learned: a report on an id nobody knows, but on its number, is taken to be on it. */
function takenByNumber(recipient: string): TakenSegments {
  return { segments: 1, ids: [{ segment: 1, carrier_message_id: numberKey(recipient) }], report_due_s: NUMBER_KEPT_S }
}

function backOff(attempts: number): number {
  return Math.min(LONGEST_RETRY_S, 2 ** (attempts - 1))
}
