import type { SubmitOutcome, TakenSegments } from '../../carriers/message-carrier.ts'
import { numberKey } from '../../carriers/message-id.ts'
import type { Change } from '../settle/store.ts'
import type { DispatchTarget } from './target.ts'

export type Outcome = SubmitOutcome | { kind: 'failed'; description: string }

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
}

/** A message that was tried. */
export type Tried = { recipient: string; attempts: number; is_secret: boolean; pages: number }

/** A network that does not take a message this often will not: it is `failed` and refunded. */
const MAX_ATTEMPTS = 12
/** With another carrier to try, fewer tries. */
const MAX_ATTEMPTS_BEFORE_NEXT = 3
const LONGEST_RETRY_S = 300
const NUMBER_KEPT_S = 72 * 3_600
/** No report can name it: ids hold no blank. */
const NO_ID = 'no id'

export function decide(target: DispatchTarget, tried: Tried, outcome: Outcome): Decision {
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
  { on_unknown }: DispatchTarget,
  { recipient, attempts, is_secret, pages }: Tried,
  { taken, description, in_segments }: Extract<Outcome, { kind: 'unknown' }>,
): Decision {
  const known = taken ? [taken] : []
  const may_repeat = is_secret && on_unknown !== 'hold' && on_unknown !== 'fail'
  if (may_repeat && attempts < MAX_ATTEMPTS_BEFORE_NEXT) return { kind: 'again', delay_ms: 0, taken: known }
  if (on_unknown === 'fail') return { ...ended('failed', null, description), taken: known }
  // Of one in segments a single report would not tell enough.
  const by_number = (in_segments ?? pages > 1) ? [] : [takenByNumber(recipient)]
  return { ...ended('unknown', null, description), taken: [...known, ...by_number] }
}

function ended(status: Change['status'], code: string | null, description: string): Decision {
  return { kind: 'ended', status, code, description }
}

/** Its id was never learned: a report on an id nobody knows, but on its number, is taken to be on it. */
function takenByNumber(recipient: string): TakenSegments {
  return { segments: 1, ids: [{ segment: 1, carrier_message_id: numberKey(recipient) }], report_due_s: NUMBER_KEPT_S }
}

function backOff(attempts: number): number {
  return Math.min(LONGEST_RETRY_S, 2 ** (attempts - 1))
}
