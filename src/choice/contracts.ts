/** What contracts demand of the choices of a route: each carrier gets at least and at most a share of the messages. */
export type Contracts = {
  note(position: number, now_ms: number): void
  /** The carrier of a set that is furthest below its least share; -1: none is. */
  owed(set: number): number
  /** The carriers of a set that may get one more message. */
  allowed(set: number): number
}

/** Messages by which a carrier may exceed its highest share, so that the first message of a route can be sent. */
const LEEWAY = 1
const REFRESH_MS = 1_000

export function makeContracts(
  least: readonly (number | undefined)[],
  most: readonly (number | undefined)[],
  half_life_ms: number,
): Contracts {
  const counts = new Float64Array(least.length)
  const is_bound = [...least, ...most].some((percent) => percent !== undefined)
  let total = 0
  let decayed_ms = -Infinity

  return {
    note(position, now_ms) {
      if (!is_bound) return
      if (now_ms - decayed_ms >= REFRESH_MS) {
        const left = decayed_ms === -Infinity ? 1 : 0.5 ** ((now_ms - decayed_ms) / half_life_ms)
        for (let n = 0; n < counts.length; n++) counts[n]! *= left
        total *= left
        decayed_ms = now_ms
      }
      counts[position]! += 1
      total += 1
    },
    owed(set) {
      let owed = -1
      let largest = 0
      for (let n = 0; is_bound && n < counts.length; n++) {
        const percent = least[n]
        if (percent === undefined || ((set >> n) & 1) === 0) continue
        const missing = (percent / 100) * (total + 1) - counts[n]!
        if (missing >= 1 && missing > largest) [owed, largest] = [n, missing]
      }
      return owed
    },
    allowed(set) {
      let allowed = set
      for (let n = 0; is_bound && n < counts.length; n++) {
        const percent = most[n]
        if (percent !== undefined && counts[n]! + 1 > (percent / 100) * (total + 1) + (percent > 0 ? LEEWAY : 0))
          allowed &= ~(1 << n)
      }
      return allowed
    },
  }
}
