import { networkOf } from '../users/login/limits.ts'
import { makeMemory } from './guesses.ts'

/** Connections that have not bound. Of this process. */
export type Unbound = {
  /**
   * Where there is no place left, the oldest connection that is not binding is closed for it; undefined: all of them are
   * binding at this moment. Strangers never take the places of addresses that have bound lately.
   */
  enter(address: string, evict: () => void): Place | undefined
}

/** The place of one connection. */
export type Place = {
  /** Its bind is being judged: it is not closed for another meanwhile. */
  setBinding(is_binding: boolean): void
  /** It has bound: connections from its address have places reserved from now on. */
  bound(): void
  leave(): void
}

type Limits = { unbound: number; unbound_per_address: number; unbound_reserved: number }
type Waiting = { network: string; is_known: boolean; is_binding: boolean; evict: () => void }

const KNOWN_MS = 24 * 60 * 60_000
/** At most this part of all places is reserved. */
const MOST_RESERVED = 1 / 5

export function makeUnbound(
  { unbound, unbound_per_address, unbound_reserved }: Limits,
  now: () => number = Date.now,
): Unbound {
  /** In the order they came. */
  const here = new Set<Waiting>()
  const known = makeMemory(KNOWN_MS, now)
  const for_strangers = unbound - Math.min(unbound_reserved, Math.floor(unbound * MOST_RESERVED))

  const among = (fits: (one: Waiting) => boolean): Waiting[] => [...here].filter(fits)

  /** Makes a place; false: there is none to be made. */
  function makePlace({ network, is_known }: Pick<Waiting, 'network' | 'is_known'>): boolean {
    const own = among((one) => one.network === network)
    if (own.length >= unbound_per_address) return evictFrom(own)
    const strangers = among((one) => !one.is_known)
    if (!is_known && strangers.length >= for_strangers) return evictFrom(strangers)
    return here.size < unbound || evictFrom(strangers) || evictFrom([...here])
  }

  function evictFrom(candidates: readonly Waiting[]): boolean {
    const oldest = candidates.find(({ is_binding }) => !is_binding)
    if (!oldest) return false
    here.delete(oldest)
    oldest.evict()
    return true
  }

  return {
    enter(address, evict) {
      const network = networkOf(address)
      const one: Waiting = { network, is_known: known.has(network), is_binding: false, evict }
      if (!makePlace(one)) return undefined
      here.add(one)
      return {
        setBinding: (is_binding) => void (one.is_binding = is_binding),
        bound() {
          here.delete(one)
          known.add(network)
        },
        leave: () => void here.delete(one),
      }
    },
  }
}
