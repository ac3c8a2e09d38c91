import { networkOf } from '../users/login/limits.ts'

/** Counts attempts to bind before they are judged, so that many at the same moment are many. Of this process. */
export type Guesses = {
  /** Undefined: too many were wrong lately, and this one is not judged. */
  reserve(address: string, system_id: string): Attempt | undefined
}

export type Attempt = {
  /** The password was right, or was not judged: it does not count. */
  release(): void
  /** It has bound: wrong passwords for other accounts from this address do not shut it out. */
  succeed(): void
}

/** Wrong passwords for one account from one network (of IPv6, a /64). */
const PER_ACCOUNT = 10
/** For all accounts from one network. Several customers may share an address, so it is generous. */
const PER_NETWORK = 50
const FORGET_MS = 60_000
const SUCCESS_MS = 24 * 60 * 60_000
/** Of each kind; beyond, the oldest are forgotten. */
const REMEMBERED = 10_000
/** Longer than any there is. */
const LONGEST_SYSTEM_ID = 16

type Count = { count: number; since: number }

export function makeGuesses(now: () => number = Date.now): Guesses {
  const by_network = new Map<string, Count>()
  const by_account = new Map<string, Count>()
  const succeeded = makeMemory(SUCCESS_MS, now)

  function countIn(counts: Map<string, Count>, key: string): Count {
    const known = counts.get(key)
    if (known && now() - known.since < FORGET_MS) return known
    const fresh = { count: 0, since: now() }
    counts.delete(key)
    counts.set(key, fresh)
    dropOldest(counts)
    return fresh
  }

  return {
    reserve(address, system_id) {
      const network = networkOf(address)
      const account = JSON.stringify([network, system_id.slice(0, LONGEST_SYSTEM_ID)])
      const counts = [countIn(by_network, network), countIn(by_account, account)] as const
      if (counts[1].count >= PER_ACCOUNT) return undefined
      if (counts[0].count >= PER_NETWORK && !succeeded.has(account)) return undefined
      for (const one of counts) one.count += 1
      let counted = true
      const release = (): void => {
        for (const one of counts) one.count -= counted ? 1 : 0
        counted = false
      }
      return {
        release,
        succeed() {
          release()
          succeeded.add(account)
        },
      }
    },
  }
}

export type Memory = { add(key: string): void; has(key: string): boolean }

/** Keys that were added lately. */
export function makeMemory(keep_ms: number, now: () => number): Memory {
  const added = new Map<string, number>()
  return {
    add(key) {
      added.delete(key)
      added.set(key, now())
      dropOldest(added)
    },
    has: (key) => now() - (added.get(key) ?? -Infinity) < keep_ms,
  }
}

/** A Map keeps the order of adding. */
function dropOldest(map: Map<string, unknown>): void {
  if (map.size > REMEMBERED) map.delete(map.keys().next().value ?? '')
}
