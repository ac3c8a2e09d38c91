import { makeBoundedCache } from '../values/concurrency/bounded-cache.ts'

/** What recent reports of different carriers say about the same number. */
export type Reached = {
  /** The carrier reports that the number is not in use. */
  noteAbsent(number: string, carrier: string): void
  /** The carrier reports a delivery: whether another carrier recently said otherwise, or the same. */
  noteReached(number: string, carrier: string): 'contradicted' | 'confirmed' | undefined
}

const MAX_NUMBERS = 50_000
const REMEMBERED_MS = 3_600_000

type Report = { carrier: string; is_absent: boolean; at_ms: number }

/** Keeps the last report on each number, under a hash of the number that another process does not compute. */
export function makeReached(clock: () => number = Date.now): Reached {
  const seed = Math.floor(Math.random() * 4_294_967_296)
  const reports = makeBoundedCache<number, Report>(MAX_NUMBERS)
  return {
    noteAbsent(number, carrier) {
      reports.set(hashOf(seed, number), { carrier, is_absent: true, at_ms: clock() })
    },
    noteReached(number, carrier) {
      const key = hashOf(seed, number)
      const known = reports.get(key)
      const is_other = known && known.carrier !== carrier && clock() - known.at_ms < REMEMBERED_MS
      if (!is_other || !known.is_absent) reports.set(key, { carrier, is_absent: false, at_ms: clock() })
      return is_other ? (known.is_absent ? 'contradicted' : 'confirmed') : undefined
    },
  }
}

/** Of 53 bits, so that two of the remembered numbers practically never share it (cyrb53). */
function hashOf(seed: number, text: string): number {
  let high = 0xdeadbeef ^ seed
  let low = 0x41c6ce57 ^ seed
  for (let n = 0; n < text.length; n++) {
    const code = text.charCodeAt(n)
    high = Math.imul(high ^ code, 2_654_435_761)
    low = Math.imul(low ^ code, 1_597_334_677)
  }
  high = Math.imul(high ^ (high >>> 16), 2_246_822_507) ^ Math.imul(low ^ (low >>> 13), 3_266_489_909)
  low = Math.imul(low ^ (low >>> 16), 2_246_822_507) ^ Math.imul(high ^ (high >>> 13), 3_266_489_909)
  return 4_294_967_296 * (2_097_151 & low) + (high >>> 0)
}
