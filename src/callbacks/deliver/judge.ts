import type { PostOutcome } from '../post/post.ts'
import type { AttemptedCallback, PendingCallback } from './deliver-store.ts'
import { retryDelay } from './retry-schedule.ts'

/** 2xx acknowledges, 410 stops, everything else is retried until the schedule ends. */
export function judge(callback: PendingCallback, outcome: PostOutcome): AttemptedCallback {
  const { id, webhook_id, url, type, attempts: made, age_s } = callback
  const { duration_ms } = outcome
  const attempted = { id, webhook_id, url, made, duration_ms }
  if (outcome.kind === 'answered') {
    const { status: status_code, excerpt } = outcome
    const verdict = finalState(status_code) ?? retryLater(type, made, age_s, outcome.retry_after_s)
    return { ...attempted, ...verdict, status_code, reason: null, excerpt }
  }
  const reason = `${outcome.reason}: ${outcome.description}`
  return { ...attempted, ...retryLater(type, made, age_s), status_code: null, reason, excerpt: null }
}

type Verdict = Pick<AttemptedCallback, 'status' | 'retry_ms'>

function finalState(status_code: number): Verdict | undefined {
  if (status_code >= 200 && status_code < 300) return { status: 'delivered', retry_ms: null }
  return status_code === 410 ? { status: 'stopped', retry_ms: null } : undefined
}

/** Events without retries: a test is watched live, and an intermediate state is followed by the final one. */
const POSTED_ONCE = new Set(['webhook.test', 'text.queued', 'text.sent'])

function retryLater(type: string, made: number, age_s: number, retry_after_s = 0): Verdict {
  const delay_s = POSTED_ONCE.has(type) ? undefined : retryDelay(made + 1, age_s)
  if (delay_s === undefined) return { status: 'failed', retry_ms: null }
  return { status: 'pending', retry_ms: 1_000 * Math.max(delay_s, retry_after_s) }
}

/** Not sent: the receiver would reject an unsigned post. Recorded as an attempt, so that the reason is visible. */
export const UNSIGNED: PostOutcome = {
  kind: 'failed',
  reason: 'secret',
  description: 'The secret that signs it was sealed under another pepper: rotate it, or give the pepper back.',
  duration_ms: 0,
}
