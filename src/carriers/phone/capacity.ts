import type { PhoneSettings } from './schema.ts'

/** A SIM of a phone, with what it has sent and what is assigned to it. */
export type SimUse = {
  phone_id: string
  sim: number
  /** The phone calls us, and has fetched the messages that were last assigned to it. */
  present: boolean
  resting: boolean
  /** Pages of text in the last minute, hour and day. */
  used_minute: number
  used_hour: number
  used_day: number
  /** Messages that are assigned to it and not yet sent. */
  in_flight: number
}

export type Sim = { phone_id: string; sim: number }

export type Limits = Pick<PhoneSettings, 'per_minute' | 'per_hour' | 'per_day' | 'in_flight_per_sim'>

/** Whether a SIM may send now, or as soon as a message that is assigned to it is sent. */
export function isUsable(sim: SimUse, limits: Limits): boolean {
  return sim.present && !sim.resting && pagesLeft(sim, limits) > 0
}

/**
 * Chooses a SIM for each message, given its number of pages: the one that has sent least today. Undefined for messages
 * that have to wait. A message may have more pages than its SIM has left, otherwise a long one could never be sent.
 */
export function chooseSims(sims: readonly SimUse[], pages: readonly number[], limits: Limits): (Sim | undefined)[] {
  const usable = sims.filter((sim) => isUsable(sim, limits)).map((sim) => ({ ...sim }))
  return pages.map((count) => {
    const free = usable.filter((sim) => sim.in_flight < limits.in_flight_per_sim && pagesLeft(sim, limits) > 0)
    const [least] = free.toSorted((a, b) => a.used_day - b.used_day || a.in_flight - b.in_flight || order(a, b))
    if (!least) return undefined
    least.used_minute += count
    least.used_hour += count
    least.used_day += count
    least.in_flight += 1
    return { phone_id: least.phone_id, sim: least.sim }
  })
}

/** How many messages of one page these SIMs would take now. */
export function countFree(sims: readonly SimUse[], limits: Limits): number {
  const free = sims
    .filter((sim) => isUsable(sim, limits))
    .map((sim) => Math.min(limits.in_flight_per_sim - sim.in_flight, pagesLeft(sim, limits)))
  return free.reduce((sum, count) => sum + Math.max(0, count), 0)
}

function pagesLeft(sim: SimUse, { per_minute, per_hour, per_day }: Limits): number {
  return Math.min(per_minute - sim.used_minute, per_hour - sim.used_hour, per_day - sim.used_day)
}

function order(a: SimUse, b: SimUse): number {
  return a.phone_id === b.phone_id ? a.sim - b.sim : a.phone_id < b.phone_id ? -1 : 1
}
