import type { GuardSettings, LimitSettings } from '../schema.ts'

/** Times are seconds since 1970 by the database's clock; lists are oldest first. */
export type Traffic = {
  now_s: number
  /** When OTPs were sent to this number. */
  number: readonly number[]
  prefix: readonly Slot[]
  country: readonly Slot[]
  organisation: readonly Slot[]
  guard: { state: 'slowed' | 'blocked'; until_s: number } | undefined
}

/** The counts of the five minutes that start at `slot_s`. */
export type Slot = { slot_s: number; sent: number; verified: number }

export type Verdict = {
  /** Absent if the request is admitted. */
  refused?: { reason: string; retry_after_s: number }
  /** The new state of the prefix; absent if it is not guarded. */
  guard?: { state: 'slowed' | 'blocked'; until_s: number; sent: number; verified: number }
}

export const SLOT_S = 300
const HOUR_S = 3_600
const DAY_S = 86_400

/** The limits on sending; the other limits verification attempts. */
type SendLimits = Omit<LimitSettings, 'number_failures_per_day'>

/** Whether one more OTP may be sent. If several limits are reached, the one that lasts longest is reported. */
export function checkLimits(limits: SendLimits, settings: GuardSettings, traffic: Traffic): Verdict {
  const { now_s, number, prefix, country, organisation } = traffic
  const guarded = checkPrefix(settings, traffic)
  const waits = [
    {
      reason: 'this number has had too many in ten minutes',
      s: wait(number, limits.number_per_10_minutes, 600, now_s),
    },
    { reason: 'this number has had too many in a day', s: wait(number, limits.number_per_day, DAY_S, now_s) },
    { reason: 'numbers like this one have had too many', s: waitSlots(prefix, limits.prefix_per_hour, now_s) },
    { reason: 'this country has had too many', s: waitSlots(country, limits.country_per_hour, now_s) },
    { reason: 'your organisation has sent too many', s: waitSlots(organisation, limits.organisation_per_hour, now_s) },
    { reason: 'tokens sent to numbers like this one are hardly ever verified', s: guarded.wait_s },
  ].filter(({ s }) => s > 0)
  const longest = waits.sort((a, b) => b.s - a.s)[0]
  const verdict: Verdict = guarded.guard ? { guard: guarded.guard } : {}
  if (longest) verdict.refused = { reason: longest.reason, retry_after_s: longest.s }
  // A slowed prefix that admits a request starts its next interval; a refused request does not extend it.
  else if (verdict.guard?.state === 'slowed') verdict.guard.until_s = now_s + settings.slow_every_s
  return verdict
}

/** Slows a prefix with enough traffic of which too little is verified, and blocks it if that continues. */
function checkPrefix(
  settings: GuardSettings,
  { now_s, prefix, guard }: Traffic,
): { wait_s: number; guard?: NonNullable<Verdict['guard']> } {
  const seen = prefix.filter(({ slot_s }) => slot_s > now_s - settings.window_minutes * 60)
  const sent = seen.reduce((sum, slot) => sum + slot.sent, 0)
  const verified = seen.reduce((sum, slot) => sum + slot.verified, 0)
  if (guard?.state === 'blocked' && guard.until_s > now_s) {
    return { wait_s: guard.until_s - now_s, guard: { ...guard, sent, verified } }
  }
  if (verified >= settings.conversion * sent || sent < settings.slow_from) return { wait_s: 0 }
  if (sent >= settings.block_from) {
    const wait_s = settings.block_minutes * 60
    return { wait_s, guard: { state: 'blocked', until_s: now_s + wait_s, sent, verified } }
  }
  const until_s = guard?.state === 'slowed' ? guard.until_s : now_s + settings.slow_every_s
  return { wait_s: Math.max(0, until_s - now_s), guard: { state: 'slowed', until_s, sent, verified } }
}

/** Seconds until fewer than `limit` sends lie within the window; 0 or less if that is already so. */
function wait(times: readonly number[], limit: number, window_s: number, now_s: number): number {
  const leaves = times[times.length - limit] ?? -Infinity
  return leaves + window_s - now_s
}

/** The same for slots and one hour: a slot counts until it is an hour old. */
function waitSlots(slots: readonly Slot[], limit: number, now_s: number): number {
  let left = slots.reduce((sum, { sent }) => sum + sent, 0)
  for (const { slot_s, sent } of slots) {
    if (left < limit) break
    left -= sent
    if (left < limit) return slot_s + HOUR_S - now_s
  }
  return 0
}
