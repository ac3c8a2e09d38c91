import { descriptionOf } from '../../carriers/delivery-codes.ts'
import type { MessageCarrier, OutgoingMessage } from '../../carriers/message-carrier.ts'
import { readBinary } from '../../values/sms/binary-text.ts'
import type { Seal } from '../../values/secrets/seal.ts'
import { deliverySeal, splitToken } from '../sealed-text.ts'
import type { Outcome } from './decide.ts'
import { carriesNothing, OPTED_OUT } from './refusing-carrier.ts'
import type { Attempt, DispatchTarget } from './target.ts'

/** The message to submit, or the outcome of an attempt that must not be made. */
export function prepareAttempt(
  { seal }: { seal: Seal },
  { carrier, channel, on_unknown = 'resend_otp', shared = false }: DispatchTarget,
  attempt: Attempt,
): { message?: OutgoingMessage; outcome?: Outcome } {
  const { sealed_text, expires_in_s } = attempt
  // Sealed texts are one-time passwords: receiving one twice is harmless, not receiving it is not. A carrier recognises
  // a message it was sent before, but not one that was sent by another carrier of a shared queue.
  const repeatable = (carrier.resubmittable && !shared) || (sealed_text !== null && on_unknown === 'resend_otp')
  if (attempt.interrupted && !(repeatable && attempt.attempt <= MAX_INTERRUPTIONS)) return { outcome: INTERRUPTED }
  const end = (outcome: Outcome): { outcome: Outcome } => ({ outcome: possiblySent(carrier, attempt) ?? outcome })
  // An opt-out does not apply to a one-time password that the recipient has just requested.
  if (attempt.opted_out && sealed_text === null) return end(OPTED_OUT)
  if (expires_in_s !== null && expires_in_s <= 0) return end(EXPIRED)
  if (attempt.is_binary && !carrier.takes_binary) return end(TEXTS_ONLY)
  const opened = sealed_text === null ? attempt.text : seal.open(sealed_text, deliverySeal(attempt))
  if (opened === undefined) return end(UNREADABLE)
  const { text, token } = sealed_text === null ? { text: opened } : splitToken(opened)
  const message: OutgoingMessage = {
    organisation_id: attempt.organisation_id,
    message_id: attempt.message_id,
    recipient: attempt.recipient,
    channel: channel ?? attempt.channel,
    sender_id: attempt.sender_id,
    text,
    expires_in_s,
    attempt: attempt.attempt,
    urgent: sealed_text !== null,
  }
  if (attempt.promotional) message.promotional = true
  if (token !== undefined) message.token = token
  if (attempt.whatsapp !== null) message.whatsapp = attempt.whatsapp
  if (attempt.is_binary) message.binary = readBinary(text)
  if (attempt.trace) message.trace = attempt.trace
  return { message }
}

/** The outcome of a delivery that must not be submitted again, but may have been submitted before. */
function possiblySent(carrier: MessageCarrier, { interrupted, possible_carrier }: Attempt): Outcome | undefined {
  if (carriesNothing(carrier)) return undefined
  if (interrupted) return INTERRUPTED
  return possible_carrier === null ? undefined : UNANSWERED
}

/** A delivery whose lease expired this many times probably crashes its worker. */
const MAX_INTERRUPTIONS = 10

/** A worker died with it in flight. A second submission could deliver it twice: its outcome depends on the report. */
const INTERRUPTED: Outcome = { kind: 'given_up', description: 'interrupted during submission' }
const UNANSWERED: Outcome = {
  kind: 'given_up',
  description: 'the carrier did not answer, and it could not be resubmitted',
}
const TEXTS_ONLY: Outcome = {
  kind: 'rejected',
  code: 'binary',
  description: descriptionOf('binary'),
  elsewhere: true,
}
const EXPIRED: Outcome = { kind: 'failed', description: 'it expired before it could be submitted' }
const UNREADABLE: Outcome = { kind: 'failed', description: 'it was sealed under another pepper' }
