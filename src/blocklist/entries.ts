/** Entries in memory: when each expires, in milliseconds since 1970. Numbers have at most 15 digits, which a double holds. */
export type Entries = {
  readonly size: number
  /** The entry that blocks the number: the number itself, or the longest of its beginnings. */
  find(recipient: string, now_ms: number): string | undefined
  set(entry: string, expires_ms: number): void
  delete(entry: string): void
}

export function makeEntries(): Entries {
  const numbers = new Map<number, number>()
  const prefixes = new Map<number, number>()
  /** How many prefixes have each length. */
  const lengths = new Uint32Array(17)

  function isIn(map: ReadonlyMap<number, number>, digits: string, now_ms: number): boolean {
    return (map.get(Number(digits)) ?? 0) > now_ms
  }

  return {
    get size() {
      return numbers.size + prefixes.size
    },

    find(recipient, now_ms) {
      if (numbers.size > 0 && isIn(numbers, recipient, now_ms)) return recipient
      if (prefixes.size === 0) return undefined
      for (let length = Math.min(recipient.length, 15); length > 0; length -= 1) {
        if (lengths[length] === 0) continue
        const beginning = recipient.slice(0, length)
        if (isIn(prefixes, beginning, now_ms)) return `${beginning}*`
      }
      return undefined
    },

    set(entry, expires_ms) {
      if (!entry.endsWith('*')) return void numbers.set(Number(entry), expires_ms)
      const digits = entry.slice(0, -1)
      if (!prefixes.has(Number(digits))) lengths[digits.length] = (lengths[digits.length] ?? 0) + 1
      prefixes.set(Number(digits), expires_ms)
    },

    delete(entry) {
      if (!entry.endsWith('*')) return void numbers.delete(Number(entry))
      const digits = entry.slice(0, -1)
      if (prefixes.delete(Number(digits))) lengths[digits.length] = (lengths[digits.length] ?? 1) - 1
    },
  }
}
