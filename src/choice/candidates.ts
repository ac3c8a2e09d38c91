import { isCompared, LEAST_RESULTS, sentOf, type Standing } from './standing.ts'

/*
 * Sets of carriers as bits, by their position in the route, and the rules that choose one of a set. A position of -1: the
 * set is empty.
 */

type Costs = readonly (bigint | undefined)[]

export function has(set: number, n: number): boolean {
  return ((set >> n) & 1) === 1
}

/** The least expensive one; of equal or unknown costs the first. Unknown costs come last. */
export function cheapestOf(set: number, costs: Costs): number {
  let best = -1
  for (let n = 0; set >> n !== 0; n++) if (has(set, n) && (best < 0 || isLess(costs[n], costs[best]))) best = n
  return best
}

/** The least expensive one whose share may be within the tolerance of the best one. Only carriers with enough results. */
export function goodEnough(set: number, costs: Costs, standing: Standing, tolerance: number): number {
  let least_share = 0
  let compared = 0
  for (let n = 0; set >> n !== 0; n++) {
    if (!has(set, n) || !isCompared(standing, n)) continue
    compared |= 1 << n
    least_share = Math.max(least_share, (1 - tolerance) * standing.low[n]!)
  }
  let best = -1
  for (let n = 0; compared >> n !== 0; n++) {
    if (!has(compared, n) || standing.high[n]! < least_share) continue
    if (best < 0 || isLess(costs[n], costs[best])) best = n
  }
  return best
}

/** The least expensive one that was not yet sent enough messages to be compared. */
export function untriedOf(set: number, costs: Costs, standing: Standing): number {
  let untried = 0
  for (let n = 0; set >> n !== 0; n++) if (has(set, n) && sentOf(standing, n) < LEAST_RESULTS) untried |= 1 << n
  return cheapestOf(untried, costs)
}

/** The one that was sent the fewest messages. */
export function leastKnownOf(set: number, standing: Standing): number {
  let least = -1
  for (let n = 0; set >> n !== 0; n++) {
    if (has(set, n) && (least < 0 || sentOf(standing, n) < sentOf(standing, least))) least = n
  }
  return least
}

/** By weight; the weights of carriers outside the set are distributed among the others. Without any weight the first one. */
export function byShare(set: number, weights: readonly number[], draw: number): number {
  let total = 0
  for (let n = 0; set >> n !== 0; n++) if (has(set, n)) total += weights[n] ?? 0
  if (total === 0) return firstOf(set)
  let left = draw * total
  let last = -1
  for (let n = 0; set >> n !== 0; n++) {
    const weight = weights[n] ?? 0
    if (!has(set, n) || weight === 0) continue
    last = n
    if ((left -= weight) < 0) return n
  }
  return last
}

export function firstOf(set: number): number {
  return set === 0 ? -1 : 31 - Math.clz32(set & -set)
}

function isLess(a: bigint | undefined, b: bigint | undefined): boolean {
  return a !== undefined && (b === undefined || a < b)
}
