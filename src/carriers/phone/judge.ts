import type { OutgoingMessage, SubmitOutcome } from '../message-carrier.ts'
import { outcomeOf } from './failure.ts'
import type { StoredMessage } from './message-store.ts'
import type { PhoneSettings } from './schema.ts'

/** The next step of a message that is assigned to a phone. */
export type Verdict =
  | { kind: 'wait' }
  /** The phone did not fetch it: withdraw it, if that is still possible. */
  | { kind: 'withdraw' }
  /** The phone has it: answer that it is accepted. */
  | { kind: 'answer' }
  /** A one-time password whose phone is silent. */
  | { kind: 'abandon' }
  | { kind: 'end'; outcome: SubmitOutcome }

type Now = {
  settings: Pick<PhoneSettings, 'take_within_s' | 'answer_within_s'>
  /** The process stops; `too_late`: its grace period is over. */
  stopping: boolean
  too_late: boolean
}

export function judgeMessage(stored: StoredMessage | undefined, { token }: OutgoingMessage, now: Now): Verdict {
  if (!stored) return { kind: 'end', outcome: UNKNOWN_OUTCOME }
  const { state, phone_state, error, was_sent } = stored
  const is_late = now.too_late || stored.taken_s > now.settings.answer_within_s
  switch (state) {
    case 'offered':
      return { kind: now.stopping || stored.offered_s > now.settings.take_within_s ? 'withdraw' : 'wait' }
    case 'taken':
    case 'lost':
      if (!is_late && state === 'taken') return { kind: 'wait' }
      return { kind: token === undefined ? 'answer' : 'abandon' }
    case 'sent':
      // Android has it, but the network has not confirmed it yet: it may still fail.
      return { kind: phone_state === 'Sent' || is_late ? 'answer' : 'wait' }
    case 'done':
      return { kind: 'answer' }
    case 'failed':
      return { kind: 'end', outcome: outcomeOf({ phone_state: phone_state ?? 'Failed', error, was_sent }) }
    case 'withdrawn':
      return { kind: 'end', outcome: { kind: 'held' } }
    case 'abandoned':
      return { kind: 'end', outcome: UNKNOWN_OUTCOME }
  }
}

export const UNKNOWN_OUTCOME: SubmitOutcome = {
  kind: 'unknown',
  description: 'the phone that has it did not say what became of it',
}
