import type { Range } from './settings.ts'
import { keysOf } from '../../values/record.ts'

/** Seeded random numbers (mulberry32), to repeat a run. */
export function makeRandom(seed: number): Random {
  let state = seed >>> 0
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  return {
    // Drawn even if the share is 0, so that changing one share does not change all later draws.
    happens: (share) => next() < share,
    within: ([from, to]) => from + next() * (to - from),
    pick: (weights) => {
      const words = keysOf(weights)
      let left = next() * words.reduce((sum, word) => sum + (weights[word] ?? 0), 0)
      return words.find((word) => (left -= weights[word] ?? 0) < 0) ?? null
    },
  }
}

export type Random = {
  happens(share: number): boolean
  within(range: Range): number
  /** One of the keys, by its weight; null if there is none. */
  pick<Word extends string>(weights: Partial<Record<Word, number>>): Word | null
}
