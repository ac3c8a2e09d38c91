import type { PhoneSettings } from './schema.ts'

/** A SIM of a phone, with what it has sent and has in hand. */
export type SimUse = {
  phone_id: string
  sim: number
  /** The phone calls, and fetched what was last put on its list. */
  present: boolean
  resting: boolean
  /** Pages of text in the last minute, hour and day. */
  used_minute: number
  used_hour: number
  used_day: number
  /** Messages that are on its list or were fetched and not yet sent. */
  in_hand: number
}

export type Place = { phone_id: string; sim: number }
export type Limits = Pick<PhoneSettings, 'per_minute' | 'per_hour' | 'per_day' | 'in_hand_per_sim'>

/** It may send something now, or as soon as something in its hands has gone. */
export function isUsable(sim: SimUse, limits: Limits): boolean {
  return sim.present && !sim.resting && pagesLeft(sim, limits) > 0
}

/**
 * A place for each message, by how many pages it has: the SIM that has sent least today comes first. Undefined for those
 * that have to wait. A message may be longer than what a SIM has left, else one of many pages would never go.
 */
export function placeMessages(
  sims: readonly SimUse[],
  pages: readonly number[],
  limits: Limits,
): (Place | undefined)[] {
  const open = sims.filter((sim) => isUsable(sim, limits)).map((sim) => ({ ...sim }))
  return pages.map((count) => {
    const free = open.filter((sim) => sim.in_hand < limits.in_hand_per_sim && pagesLeft(sim, limits) > 0)
    const [least] = free.toSorted((a, b) => a.used_day - b.used_day || a.in_hand - b.in_hand || order(a, b))
    if (!least) return undefined
    least.used_minute += count
    least.used_hour += count
    least.used_day += count
    least.in_hand += 1
    return { phone_id: least.phone_id, sim: least.sim }
  })
}

/** How many messages these SIMs would take now, if each had a page. */
export function countPlaces(sims: readonly SimUse[], limits: Limits): number {
  const places = sims
    .filter((sim) => isUsable(sim, limits))
    .map((sim) => Math.min(limits.in_hand_per_sim - sim.in_hand, pagesLeft(sim, limits)))
  return places.reduce((sum, count) => sum + Math.max(0, count), 0)
}

function pagesLeft(sim: SimUse, { per_minute, per_hour, per_day }: Limits): number {
  return Math.min(per_minute - sim.used_minute, per_hour - sim.used_hour, per_day - sim.used_day)
}

function order(a: SimUse, b: SimUse): number {
  return a.phone_id === b.phone_id ? a.sim - b.sim : a.phone_id < b.phone_id ? -1 : 1
}
