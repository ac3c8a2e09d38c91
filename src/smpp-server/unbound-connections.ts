import { networkOf } from '../users/login/limits.ts'
import { makeRecentKeys } from './bind-attempts.ts'

/** The connections of this process that have not bound. */
export type UnboundConnections = {
  /**
   * Reserves a slot. If none is free, the oldest connection that is not binding is evicted; undefined: all are binding.
   * Unknown addresses never take the slots of addresses that have bound lately.
   */
  enter(address: string, evict: () => void): Slot | undefined
}

/** The slot of one connection. */
export type Slot = {
  /** While its bind is being checked it is not evicted. */
  setBinding(is_binding: boolean): void
  /** It has bound: its address counts as known from now on. */
  bound(): void
  leave(): void
}

type Limits = { unbound: number; unbound_per_address: number; unbound_reserved: number }
type Connection = { network: string; is_known: boolean; is_binding: boolean; evict: () => void }

const KNOWN_MS = 24 * 60 * 60_000
const MAX_RESERVED_SHARE = 1 / 5

export function makeUnboundConnections(
  { unbound, unbound_per_address, unbound_reserved }: Limits,
  now: () => number = Date.now,
): UnboundConnections {
  /** In the order of arrival. */
  const connections = new Set<Connection>()
  const known = makeRecentKeys(KNOWN_MS, now)
  const max_unknown = unbound - Math.min(unbound_reserved, Math.floor(unbound * MAX_RESERVED_SHARE))

  const filter = (matches: (one: Connection) => boolean): Connection[] => [...connections].filter(matches)

  /** False: no slot can be made free. */
  function makeRoom({ network, is_known }: Pick<Connection, 'network' | 'is_known'>): boolean {
    const own = filter((one) => one.network === network)
    if (own.length >= unbound_per_address) return evictOldest(own)
    const unknown = filter((one) => !one.is_known)
    if (!is_known && unknown.length >= max_unknown) return evictOldest(unknown)
    return connections.size < unbound || evictOldest(unknown) || evictOldest([...connections])
  }

  function evictOldest(candidates: readonly Connection[]): boolean {
    const oldest = candidates.find(({ is_binding }) => !is_binding)
    if (!oldest) return false
    connections.delete(oldest)
    oldest.evict()
    return true
  }

  return {
    enter(address, evict) {
      const network = networkOf(address)
      const one: Connection = { network, is_known: known.has(network), is_binding: false, evict }
      if (!makeRoom(one)) return undefined
      connections.add(one)
      return {
        setBinding: (is_binding) => void (one.is_binding = is_binding),
        bound() {
          connections.delete(one)
          known.add(network)
        },
        leave: () => void connections.delete(one),
      }
    },
  }
}
