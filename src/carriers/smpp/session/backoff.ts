import type { BackoffSettings } from './bind-settings.ts'

/** Why a bind is not up, as far as it decides when to try again. */
export type BindFault = 'credentials' | 'already_bound' | 'refused' | 'unreachable' | 'cut'

/**
 * Milliseconds until the next attempt: exponential with ±20 % jitter, so that many binds do not reconnect in step. Wrong
 * credentials wait minutes, because repeated attempts may lock the account. After `already_bound` the SMSC needs its own
 * enquire_link to notice that our old connection is gone, so we wait for one interval more.
 */
export function retryDelay(
  settings: BackoffSettings,
  fault: BindFault,
  /** Consecutive failures since it was last bound, from 1. */
  failures: number,
  enquire_interval_ms: number,
  random: () => number = Math.random,
): number {
  const doubled = Math.min(settings.first_ms * 2 ** Math.min(failures - 1, 30), settings.longest_ms)
  const jittered = doubled * (0.8 + 0.4 * random())
  if (fault === 'credentials') return settings.credentials_ms * (1 + 0.2 * random())
  return fault === 'already_bound' ? enquire_interval_ms + jittered : jittered
}
