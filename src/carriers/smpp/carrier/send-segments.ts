import type { OutgoingMessage, SubmitOutcome } from '../../message-carrier.ts'
import { keptId } from '../../message-id.ts'
import type { SubmitSegment } from './compose-submit.ts'
import { isTimeFault, refusalOf, type Refused } from './outcome.ts'
import type { Profile } from '../schema.ts'
import { SubmitFault, type SubmitAnswer } from '../session/session.ts'

/** Sends one segment over any bound session. */
export type SubmitSegmentBy = (segment: SubmitSegment, number: number) => Promise<SubmitAnswer>

type SegmentOutcome =
  | { kind: 'taken'; carrier_message_id: string }
  | { kind: 'not_sent' }
  | { kind: 'unanswered'; reason: string }
  | Refused

/** Attempts for each segment after the first. */
const MAX_ATTEMPTS = 6
const LONGEST_PAUSE_MS = 5_000

/**
 * Sends the first segment alone: until it is accepted, the whole message can still be rejected, retried or sent through
 * another carrier. After that the other segments are retried here, because resubmitting the message would duplicate its
 * first segment.
 */
export async function sendSegments(
  deps: { submit: SubmitSegmentBy; pause: (ms: number) => Promise<void> },
  message: OutgoingMessage,
  segments: readonly SubmitSegment[],
  { profile, report_due_s }: { profile: Profile; report_due_s: number },
): Promise<SubmitOutcome> {
  const [first, ...rest] = segments
  if (!first) throw new Error('a message has at least one segment')
  const one = await sendSegment(deps, first, 1, message.attempt, profile)
  switch (one.kind) {
    case 'not_sent':
      return { kind: 'held' }
    case 'unanswered':
      return { kind: 'unknown', description: one.reason, in_segments: rest.length > 0 }
    case 'rejected':
    case 'temporary':
      return one
    case 'taken':
      break
  }
  if (rest.length === 0) return { kind: 'accepted', carrier_message_id: one.carrier_message_id, report_due_s }
  const others = await Promise.all(rest.map((segment, n) => sendWithRetries(deps, segment, n + 2, profile)))
  return joinOutcomes([one, ...others], report_due_s)
}

async function sendSegment(
  { submit }: { submit: SubmitSegmentBy },
  segment: SubmitSegment,
  number: number,
  attempt: number,
  profile: Profile,
): Promise<SegmentOutcome> {
  try {
    let answer = await submit(segment, number)
    if (isTimeFault(answer.command_status) && segment.sm.validity_period) {
      segment.sm.validity_period = ''
      answer = await submit(segment, number)
    }
    if (answer.command_status !== 0) return refusalOf(answer.command_status, attempt, profile.errors)
    return { kind: 'taken', carrier_message_id: keptId(answer.message_id ?? '') }
  } catch (fault) {
    if (!(fault instanceof SubmitFault)) throw fault
    return fault.fate === 'not_sent' ? { kind: 'not_sent' } : { kind: 'unanswered', reason: fault.message }
  }
}

async function sendWithRetries(
  deps: { submit: SubmitSegmentBy; pause: (ms: number) => Promise<void> },
  segment: SubmitSegment,
  number: number,
  profile: Profile,
): Promise<SegmentOutcome> {
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await sendSegment(deps, segment, number, attempt, profile)
    const retryable = outcome.kind === 'not_sent' || outcome.kind === 'temporary'
    if (!retryable || attempt === MAX_ATTEMPTS) return outcome
    await deps.pause(Math.min(LONGEST_PAUSE_MS, 250 * 2 ** attempt))
  }
}

function joinOutcomes(segments: readonly SegmentOutcome[], report_due_s: number): SubmitOutcome {
  const ids = segments.flatMap((outcome, n) =>
    outcome.kind === 'taken' ? [{ segment: n + 1, carrier_message_id: outcome.carrier_message_id }] : [],
  )
  const all = { segments: segments.length, ids, report_due_s }
  const silent = segments.find((outcome) => outcome.kind === 'unanswered')
  if (silent) return { kind: 'unknown', description: silent.reason, taken: all, in_segments: true }
  for (const [n, outcome] of segments.entries()) {
    if (outcome.kind === 'taken' || outcome.kind === 'unanswered') continue
    const code = outcome.kind === 'not_sent' ? '' : outcome.code
    const reason = outcome.kind === 'not_sent' ? 'no bind was up' : outcome.description
    return { kind: 'undelivered', code, description: `part ${n + 1} of ${segments.length} was not accepted: ${reason}` }
  }
  const [first = '', ...further_ids] = segments.flatMap((one) => (one.kind === 'taken' ? [one.carrier_message_id] : []))
  return { kind: 'accepted', carrier_message_id: first, further_ids, report_due_s }
}
