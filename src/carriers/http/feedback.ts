import type { HttpAnswer } from '../../values/http/client.ts'
import type { FeedbackOutcome } from '../message-carrier.ts'

/** What the answer to feedback means. Sent twice it changes nothing, so it may be repeated after any failure. */
export function feedbackOutcome(answer: HttpAnswer): FeedbackOutcome {
  if (answer.kind !== 'answered') return { kind: 'failed', description: answer.description }
  const { status } = answer
  if (status >= 200 && status <= 299) return { kind: 'accepted' }
  const is_temporary = status >= 500 || status === 408 || status === 429
  return { kind: is_temporary ? 'failed' : 'refused', description: `HTTP ${status}` }
}
