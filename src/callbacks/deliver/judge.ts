import type { PostOutcome } from '../post/outcome.ts'
import type { Attempt, PendingCallback } from './deliver-store.ts'
import { retryDelay } from './retry-schedule.ts'

/** Sets the outcome of an attempt: 2xx acknowledges, 410 stops, everything else is retried until the schedule ends. */
export function judge(attempt: Attempt, { type, age_s }: PendingCallback, outcome: PostOutcome): void {
  let retry_after_s = 0
  attempt.duration_ms = outcome.duration_ms
  if (outcome.kind === 'failed') attempt.reason = `${outcome.reason}: ${outcome.description}`
  else {
    attempt.status_code = outcome.status
    attempt.excerpt = outcome.excerpt
    retry_after_s = outcome.retry_after_s ?? 0
    attempt.status = finalStatus(outcome.status)
  }
  if (attempt.status !== 'pending') return
  const delay_s = POSTED_ONCE.has(type) ? undefined : retryDelay(attempt.made + 1, age_s)
  if (delay_s === undefined) attempt.status = 'failed'
  else attempt.retry_ms = 1_000 * Math.max(delay_s, retry_after_s)
}

function finalStatus(status_code: number): Attempt['status'] {
  if (status_code >= 200 && status_code < 300) return 'delivered'
  return status_code === 410 ? 'stopped' : 'pending'
}

/** Events without retries: a test is watched live, and an intermediate state is followed by the final one. */
const POSTED_ONCE = new Set(['webhook.test', 'text.queued', 'text.sent'])

/** Not sent: the receiver would reject an unsigned post. Recorded as an attempt, so that the reason is visible. */
export const UNSIGNED: PostOutcome = {
  kind: 'failed',
  reason: 'secret',
  description: 'The secret that signs it was sealed under another pepper: rotate it, or give the pepper back.',
  duration_ms: 0,
}
