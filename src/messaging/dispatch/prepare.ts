import type { MessageCarrier, OutgoingMessage, OutgoingTemplate } from '../../carriers/message-carrier.ts'
import { readBinary } from '../../values/sms/binary-text.ts'
import type { Seal } from '../../values/secrets/seal.ts'
import { deliverySeal, splitToken } from '../sealed-text.ts'
import type { Outcome } from './decide.ts'
import { carriesNothing, OPTED_OUT } from './refusing-carrier.ts'
import type { DispatchTarget } from './target.ts'

/** A delivery whose turn it is. */
export type Turn = Omit<OutgoingMessage, 'urgent' | 'token' | 'template' | 'binary' | 'trace' | 'traceparent'> & {
  sealed_text: Buffer | null
  whatsapp: OutgoingTemplate | null
  /** The text is none (`BinaryText`). */
  is_binary: boolean
  /** The recipient has asked for silence since the message was taken. */
  opted_out: boolean | null
  /** Who had it before died with it. */
  interrupted: boolean
  /** The carrier that may have it from an earlier try. */
  maybe_with: string | null
  trace?: string | null | undefined
}

/** What is to be handed over, or the outcome of what must not be. */
export function sortTurn(
  { seal }: { seal: Seal },
  { carrier, channel, on_unknown = 'resend_otp', shared = false }: DispatchTarget,
  turn: Turn,
): { message?: OutgoingMessage; outcome?: Outcome } {
  const { sealed_text, expires_in_s } = turn
  // Sealed texts are one-time passwords: one that comes twice is harmless, one that never comes is not.
  // A carrier knows what it was handed before, but not what another was that stood in for it.
  const repeatable = (carrier.resubmittable && !shared) || (sealed_text !== null && on_unknown === 'resend_otp')
  if (turn.interrupted && !(repeatable && turn.attempt <= MOST_INTERRUPTIONS)) return { outcome: INTERRUPTED }
  const end = (outcome: Outcome): { outcome: Outcome } => ({ outcome: mayBeTaken(carrier, turn) ?? outcome })
  // Who asks for a one-time password wants that one text, whatever they said about others.
  if (turn.opted_out && sealed_text === null) return end(OPTED_OUT)
  if (expires_in_s !== null && expires_in_s <= 0) return end(TOO_LATE)
  if (turn.is_binary && !carrier.takes_binary) return end(TEXTS_ONLY)
  const opened = sealed_text === null ? turn.text : seal.open(sealed_text, deliverySeal(turn))
  if (opened === undefined) return end(UNREADABLE)
  const { text, token } = sealed_text === null ? { text: opened } : splitToken(opened)
  const message: OutgoingMessage = {
    organisation_id: turn.organisation_id,
    message_id: turn.message_id,
    recipient: turn.recipient,
    channel: channel ?? turn.channel,
    sender_id: turn.sender_id,
    text,
    expires_in_s,
    attempt: turn.attempt,
    urgent: sealed_text !== null,
  }
  if (turn.promotional) message.promotional = true
  if (token !== undefined) message.token = token
  if (turn.whatsapp !== null) message.template = turn.whatsapp
  if (turn.is_binary) message.binary = readBinary(text)
  if (turn.trace) message.trace = turn.trace
  return { message }
}

/** What must not be handed over any more, but may have been before: nobody can say that it was never carried. */
function mayBeTaken(carrier: MessageCarrier, { interrupted, maybe_with }: Turn): Outcome | undefined {
  if (carriesNothing(carrier)) return undefined
  if (interrupted) return INTERRUPTED
  return maybe_with === null ? undefined : UNANSWERED
}

/** What has outlived so many who had it in hand may be what they died of. */
const MOST_INTERRUPTIONS = 10

/** A worker died with it in hand. Sending it again could mean sending it twice: its report will tell, or nothing will. */
const INTERRUPTED: Outcome = { kind: 'given_up', description: 'interrupted while being handed over' }
const UNANSWERED: Outcome = {
  kind: 'given_up',
  description: 'the carrier did not answer, and it could not be tried again',
}
const TEXTS_ONLY: Outcome = {
  kind: 'rejected',
  code: 'binary',
  description: 'the carrier takes texts only',
  elsewhere: true,
}
const TOO_LATE: Outcome = { kind: 'failed', description: 'it expired before it could be handed over' }
const UNREADABLE: Outcome = { kind: 'failed', description: 'it was sealed under another pepper' }
