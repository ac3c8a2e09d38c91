/** A map that never holds more than its limit. Entries that were not read or written for the longest are evicted first. */
export type BoundedCache<K, V> = {
  get(key: K): V | undefined
  set(key: K, value: V): void
  delete(key: K): void
  clear(): void
  /** The number of entries; takes linear time. */
  readonly size: number
}

/**
 * Approximate LRU in two generations. Writes and hits go to the young generation; when it holds half of the limit, it
 * becomes the old one and the previous old generation is dropped. Every operation takes constant time. (Evicting the
 * first key of one Map does not: V8 skips the deleted entries before it on each eviction.)
 */
export function makeBoundedCache<K, V extends object | string | number | boolean | bigint>(
  max_entries: number,
): BoundedCache<K, V> {
  const max_young = Math.max(1, Math.floor(max_entries / 2))
  let young = new Map<K, V>()
  let old = new Map<K, V>()

  function set(key: K, value: V): void {
    if (young.size >= max_young && !young.has(key)) {
      old = young
      young = new Map()
    }
    young.set(key, value)
  }

  return {
    get(key) {
      const value = young.get(key)
      if (value !== undefined) return value
      const older = old.get(key)
      if (older !== undefined) set(key, older)
      return older
    },
    set,
    delete(key) {
      young.delete(key)
      old.delete(key)
    },
    clear() {
      young = new Map()
      old = new Map()
    },
    get size() {
      return new Set([...young.keys(), ...old.keys()]).size
    },
  }
}
