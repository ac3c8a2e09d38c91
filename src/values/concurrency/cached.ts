import { makeBoundedCache } from './bounded-cache.ts'

/** Keys remembered by one cache. */
const MAX_KEYS = 10_000

/**
 * Calls `load` at most once per key within `ttl_ms`; concurrent callers share one call. A failure is kept for
 * `failure_ttl_ms`, so that a source that is down is not called for every request. Further arguments are passed to
 * `load`: the key stands for them.
 */
export function cached<V, Given extends unknown[] = []>(
  ttl_ms: number,
  load: (key: string, ...given: Given) => Promise<V>,
  { failure_ttl_ms = 0, max_keys = MAX_KEYS }: { failure_ttl_ms?: number; max_keys?: number } = {},
): (key: string, ...given: Given) => Promise<V> {
  const entries = makeBoundedCache<string, { value: Promise<V>; expires: number }>(max_keys)
  return (key, ...given) => {
    const known = entries.get(key)
    if (known && Date.now() < known.expires) return known.value
    const entry = { value: load(key, ...given), expires: Date.now() + ttl_ms }
    entries.set(key, entry)
    entry.value.catch(() => {
      entry.expires = Date.now() + failure_ttl_ms
      if (failure_ttl_ms === 0 && entries.get(key) === entry) entries.delete(key)
    })
    return entry.value
  }
}
