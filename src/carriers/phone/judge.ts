import type { OutgoingMessage, SubmitOutcome } from '../message-carrier.ts'
import { outcomeOf } from './failure.ts'
import type { TendedMessage } from './message-store.ts'
import type { PhoneSettings } from './schema.ts'

/** What is to be done about a message on a phone's list or in its hands. */
export type Verdict =
  | { kind: 'wait' }
  /** The phone did not fetch it: it is to be taken back, if it still can be. */
  | { kind: 'withdraw' }
  /** The phone has it: the route is to be told so. */
  | { kind: 'answer' }
  /** A one-time password that the phone is silent about. */
  | { kind: 'abandon' }
  | { kind: 'end'; outcome: SubmitOutcome }

type Now = {
  settings: Pick<PhoneSettings, 'take_within_s' | 'answer_within_s'>
  /** The process is about to end; when it is too late nobody waits any more. */
  stopping: boolean
  too_late: boolean
}

export function judgeTended(tended: TendedMessage | undefined, { token }: OutgoingMessage, now: Now): Verdict {
  if (!tended) return { kind: 'end', outcome: GONE }
  const { state, phone_state, error, was_sent } = tended
  const is_late = now.too_late || tended.taken_s > now.settings.answer_within_s
  switch (state) {
    case 'offered':
      return { kind: now.stopping || tended.offered_s > now.settings.take_within_s ? 'withdraw' : 'wait' }
    case 'taken':
    case 'lost':
      if (!is_late && state === 'taken') return { kind: 'wait' }
      return { kind: token === undefined ? 'answer' : 'abandon' }
    case 'sent':
      // Android has it, but has not heard from the network yet: it may still fail.
      return { kind: phone_state === 'Sent' || is_late ? 'answer' : 'wait' }
    case 'done':
      return { kind: 'answer' }
    case 'failed':
      return { kind: 'end', outcome: outcomeOf({ phone_state: phone_state ?? 'Failed', error, was_sent }) }
    case 'withdrawn':
      return { kind: 'end', outcome: { kind: 'held' } }
    case 'abandoned':
      return { kind: 'end', outcome: GONE }
  }
}

const GONE: SubmitOutcome = { kind: 'unknown', description: 'the phone that has it did not say what became of it' }
