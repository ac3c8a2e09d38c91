/** A map that never holds more than its limit: of entries, or of their weights. Entries that were not read or written for the longest are evicted first. */
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
  max: number,
  /** At most half of `max`; an entry that weighs more is alone in its generation. */
  weightOf: (value: V) => number = ONE,
): BoundedCache<K, V> {
  const max_young = Math.max(1, Math.floor(max / 2))
  let young = new Map<K, V>()
  let old = new Map<K, V>()
  let young_weight = 0

  function set(key: K, value: V): void {
    const weight = weightOf(value)
    const replaced = young.get(key)
    if (replaced !== undefined) young_weight -= weightOf(replaced)
    if (young_weight + weight > max_young && young_weight > 0) {
      old = young
      young = new Map()
      young_weight = 0
    }
    young.set(key, value)
    young_weight += weight
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
      const removed = young.get(key)
      if (removed !== undefined) young_weight -= weightOf(removed)
      young.delete(key)
      old.delete(key)
    },
    clear() {
      young = new Map()
      old = new Map()
      young_weight = 0
    },
    get size() {
      return new Set([...young.keys(), ...old.keys()]).size
    },
  }
}

const ONE = (): number => 1
