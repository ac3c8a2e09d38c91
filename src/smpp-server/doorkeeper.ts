import { networkOf } from '../users/limits.ts'

/** Connections that have not bound, and networks that guess. Of this process. Whoever has an IPv6 address has a /64. */
export type Doorkeeper = {
  /** False: too many are here already, or it has guessed too often. */
  enter(address: string): boolean
  /** It has bound, or has gone. */
  leave(address: string): void
  /** Its password was wrong. */
  noteFailure(address: string): void
}

type Limits = { unbound: number; unbound_per_address: number }

const FAILURES = 10
const FORGET_MS = 60_000
/** Networks remembered for their failures; more than this and the oldest are forgotten. */
const REMEMBERED = 10_000

export function makeDoorkeeper({ unbound, unbound_per_address }: Limits, now: () => number = Date.now): Doorkeeper {
  const here = new Map<string, number>()
  const failures = new Map<string, { count: number; since: number }>()
  let total = 0

  function hasGuessed(network: string): boolean {
    const failed = failures.get(network)
    if (!failed) return false
    if (now() - failed.since < FORGET_MS) return failed.count >= FAILURES
    failures.delete(network)
    return false
  }

  return {
    enter(address) {
      const network = networkOf(address)
      const own = here.get(network) ?? 0
      if (total >= unbound || own >= unbound_per_address || hasGuessed(network)) return false
      total += 1
      here.set(network, own + 1)
      return true
    },
    leave(address) {
      const network = networkOf(address)
      const own = here.get(network) ?? 0
      if (own === 0) return
      total -= 1
      if (own === 1) here.delete(network)
      else here.set(network, own - 1)
    },
    noteFailure(address) {
      const network = networkOf(address)
      const failed = failures.get(network)
      if (failed && now() - failed.since < FORGET_MS) failed.count += 1
      else failures.set(network, { count: 1, since: now() })
      if (failures.size > REMEMBERED) failures.delete(failures.keys().next().value ?? '')
    },
  }
}
