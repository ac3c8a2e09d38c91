import type { LookupAddress } from 'node:dns'
import { makeSemaphore } from '../../values/concurrency/semaphore.ts'
import type { Resolve } from './address-guard.ts'

export type NameResolver = {
  resolve(organisation_id: string, hostname: string): Promise<LookupAddress[]>
}

/** Concurrent lookups: libuv has four threads, and one is left for files and everything else. */
const MAX_LOOKUPS = 3
const MAX_LOOKUPS_PER_ORGANISATION = 1

/**
 * Resolves host names, organisations in round robin. A lookup occupies a thread of libuv's pool while a name server is
 * silent: without a bound per organisation, four names of one would stop the callbacks of all. A lookup that has waited
 * for `timeout_ms` is not started any more.
 */
export function makeNameResolver(resolve: Resolve, timeout_ms: number): NameResolver {
  const semaphore = makeSemaphore(MAX_LOOKUPS, MAX_LOOKUPS_PER_ORGANISATION)
  const pending = new Map<string, Promise<LookupAddress[]>>()
  return {
    resolve(organisation_id, hostname) {
      const key = `${organisation_id} ${hostname}`
      const known = pending.get(key)
      if (known) return known
      const requested_ms = performance.now()
      const answer = semaphore
        .run(async () => {
          if (performance.now() - requested_ms < timeout_ms) return resolve(hostname)
          throw new Error('The queue of names to look up was too long.')
        }, organisation_id)
        .finally(() => pending.delete(key))
      answer.catch(() => {}) // the post may have ended
      pending.set(key, answer)
      return answer
    },
  }
}
