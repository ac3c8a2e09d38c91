import { networkOf } from '../users/login/limits.ts'
import { makeBoundedCache, type BoundedCache } from '../values/concurrency/bounded-cache.ts'

/** Limits wrong passwords in this process. An attempt counts from its start, so that concurrent ones are limited too. */
export type BindAttempts = {
  /** Undefined: too many passwords were wrong lately; the bind is refused unchecked. */
  reserve(address: string, system_id: string): Attempt | undefined
}

export type Attempt = {
  /** The password was right or not checked: the attempt does not count. */
  release(): void
  /** It has bound: wrong passwords for other accounts from this network do not lock it out. */
  succeed(): void
}

/** Wrong passwords for one account from one network (an address, or an IPv6 /64). */
const MAX_PER_ACCOUNT = 10
/** For all accounts from one network. Several customers may share an address, so it is generous. */
const MAX_PER_NETWORK = 50
const WINDOW_MS = 60_000
const SUCCESS_MS = 24 * 60 * 60_000
/** Remembered keys of each kind. */
const MAX_KEYS = 10_000
/** Longer than any valid one. */
const MAX_SYSTEM_ID = 16

type Count = { count: number; since: number }

export function makeBindAttempts(now: () => number = Date.now): BindAttempts {
  const by_network = makeBoundedCache<string, Count>(MAX_KEYS)
  const by_account = makeBoundedCache<string, Count>(MAX_KEYS)
  const succeeded = makeRecentKeys(SUCCESS_MS, now)

  function countOf(counts: BoundedCache<string, Count>, key: string): Count {
    const known = counts.get(key)
    if (known && now() - known.since < WINDOW_MS) return known
    const count = { count: 0, since: now() }
    counts.set(key, count)
    return count
  }

  return {
    reserve(address, system_id) {
      const network = networkOf(address)
      const account = JSON.stringify([network, system_id.slice(0, MAX_SYSTEM_ID)])
      const [of_network, of_account] = [countOf(by_network, network), countOf(by_account, account)]
      if (of_account.count >= MAX_PER_ACCOUNT) return undefined
      if (of_network.count >= MAX_PER_NETWORK && !succeeded.has(account)) return undefined
      of_network.count += 1
      of_account.count += 1
      let counts = true
      const release = (): void => {
        if (!counts) return
        counts = false
        of_network.count -= 1
        of_account.count -= 1
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

export type RecentKeys = { add(key: string): void; has(key: string): boolean }

/** Keys that were added within the last `keep_ms`. */
export function makeRecentKeys(keep_ms: number, now: () => number): RecentKeys {
  const added_at = makeBoundedCache<string, number>(MAX_KEYS)
  return {
    add: (key) => added_at.set(key, now()),
    has: (key) => now() - (added_at.get(key) ?? -Infinity) < keep_ms,
  }
}
