import type { BackoffSettings } from './bind-settings.ts'

/** Why a bind is not up, as far as it decides when to try again. */
export type BindFault = 'credentials' | 'already_bound' | 'refused' | 'unreachable' | 'cut'

/**
 * Milliseconds until the next attempt: doubling, within bounds, a fifth more or less so that many binds do not come back
 * in step. Wrong credentials do not mend themselves and too many attempts lock accounts: those wait minutes. Where the
 * SMSC still holds our old connection, it needs its own enquire_link to find out, so we wait as long as ours takes.
 */
export function retryDelay(
  settings: BackoffSettings,
  fault: BindFault,
  /** Faults in a row since it was last bound, 1 at first. */
  failures: number,
  enquire_interval_ms: number,
  random: () => number = Math.random,
): number {
  const doubled = Math.min(settings.first_ms * 2 ** Math.min(failures - 1, 30), settings.longest_ms)
  const jittered = doubled * (0.8 + 0.4 * random())
  if (fault === 'credentials') return settings.credentials_ms * (1 + 0.2 * random())
  return fault === 'already_bound' ? enquire_interval_ms + jittered : jittered
}
