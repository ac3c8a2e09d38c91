import { useAway } from '../connection.ts'
import { statusWords } from './status-words.ts'

/** A status in a word, with a colour that repeats what the word says. */
export function Badge({ status, tone }: { status: string; tone?: Tone }) {
  return <span className={`badge ${tone ?? TONES[status.toLowerCase()] ?? 'calm'}`}>{statusWords(status)}</span>
}

/** A status that is only known while the service responds, such as that of a carrier. */
export function LiveBadge({ status, tone }: { status: string; tone?: Tone }) {
  return useAway() ? <Badge status="unknown" /> : <Badge status={status} {...(tone ? { tone } : {})} />
}

export type Tone = 'good' | 'warn' | 'bad' | 'busy' | 'calm'

const TONES: Record<string, Tone> = {
  delivered: 'good',
  success: 'good',
  verified: 'good',
  approved: 'good',
  active: 'good',
  healthy: 'good',
  bound: 'good',
  up: 'good',
  done: 'good',
  sent: 'busy',
  queued: 'busy',
  pending: 'busy',
  running: 'busy',
  scheduled: 'busy',
  binding: 'busy',
  waiting: 'busy',
  unknown: 'warn',
  expired: 'warn',
  duplicate: 'warn',
  slowed: 'warn',
  low: 'warn',
  suspended: 'bad',
  degraded: 'warn',
  expiring: 'warn',
  undelivered: 'bad',
  rejected: 'bad',
  failed: 'bad',
  error: 'bad',
  blocked: 'bad',
  down: 'bad',
  refused: 'bad',
  revoked: 'calm',
  canceled: 'calm',
  deleted: 'calm',
  stopped: 'calm',
  disabled: 'calm',
  invited: 'busy',
}
