import { makeBoundedCache } from '../values/concurrency/bounded-cache.ts'
import { byShare, cheapestOf, firstOf, goodEnough, has, leastKnownOf, untriedOf } from './candidates.ts'
import type { Asked, Choice, Chooser, Reason } from './choice.ts'
import { makeContracts } from './contracts.ts'
import type { Knowledge } from './knowledge.ts'
import { seeded } from './random.ts'
import type { ChoiceSettings } from './settings.ts'
import { isCompared, makeStanding, refresh, type Standing } from './standing.ts'

/** A route that chooses. Its carriers are at most 30, in their order. */
export type ChoosingRoute = Omit<ChoiceSettings, 'choose'> & {
  carriers: readonly string[]
  choose: 'shares' | 'cheapest' | 'evidence'
}

/** Combinations of country, operator, channel and class that a route remembers its own messages of. */
const MAX_STANDINGS = 5_000
const MINUTE_MS = 60_000
const SEEDS = 4_294_967_296

/**
 * Chooses the carriers of the messages of one route. With `evidence`: the least expensive carrier whose share of good results
 * is within the tolerance of the best one (multi-armed bandits with a cost subsidy: Sinha et al., AISTATS 2021). Carriers with
 * too few results are tried first, in the order of their costs; later a small share explores. A carrier that does not deliver
 * at present is left out, except for probes. The same seed and the same inputs make the same choices.
 */
export function makeChooser(
  { carriers, choose, shares, evidence }: ChoosingRoute,
  knowledge: Knowledge,
  clock: () => number,
  random: () => number,
): Chooser {
  const { tolerance, follow_percent, explored_percent, least_percent, most_percent, seed } = evidence
  const half_life_ms = evidence.half_life_minutes * MINUTE_MS
  const draw = seeded(seed ?? Math.floor(random() * SEEDS))
  const known = { carriers, view: knowledge.view(half_life_ms), knowledge }
  const standings = makeBoundedCache<string, Standing>(MAX_STANDINGS)
  const states = carriers.map((carrier) => knowledge.outages.of(carrier))
  const weights = carriers.map((carrier) => shares?.[carrier] ?? 0)
  const contracts = makeContracts(
    carriers.map((carrier) => least_percent?.[carrier]),
    carriers.map((carrier) => most_percent?.[carrier]),
    half_life_ms,
  )
  /** Carriers that the choice may fall on. */
  const wanted = choose === 'shares' ? setOf(weights.map((weight) => weight > 0)) : -1

  function standingOf(asked: Asked, now_ms: number): Standing {
    const key = `${asked.country} ${asked.operator} ${asked.channel} ${asked.class}`
    let own = standings.get(key)
    if (!own) standings.set(key, (own = makeStanding(carriers.length)))
    refresh(own, known, asked, { now_ms, half_life_ms })
    return own
  }

  function withoutOut(set: number): number {
    let left = set
    for (let n = 0; n < states.length; n++) if (has(set, n) && states[n]!.is_out) left &= ~(1 << n)
    return left === 0 ? set : left
  }

  function toProbe(set: number): number {
    for (let n = 0; n < states.length; n++) {
      if (has(set, n) && states[n]!.is_out && knowledge.outages.mayProbe(carriers[n]!)) return n
    }
    return -1
  }

  /** Without exploration: the choice of a set by what is known. */
  function best(asked: Asked, standing: Standing, set: number, chance: number): number {
    switch (choose) {
      case 'shares':
        return byShare(set, weights, chance)
      case 'cheapest':
        return cheapestOf(set, asked.costs)
      case 'evidence':
        return goodEnough(set, asked.costs, standing, tolerance)
    }
  }

  /** Sets `reason`, too, so that the hot path makes no object of it. */
  let reason: Reason = 'good_enough'
  function intend(asked: Asked, standing: Standing, available: number, chance: number, is_followed: boolean): number {
    const candidates = withoutOut(available)
    if (is_followed && candidates !== available) {
      const probed = toProbe(available & wanted)
      if (probed >= 0) return because('probe', probed)
    }
    if (choose !== 'evidence') {
      const chosen = best(asked, standing, available, chance)
      if (has(candidates, chosen)) return because(choose === 'shares' ? 'share' : 'cheapest', chosen)
      return because('outage', best(asked, standing, candidates, chance))
    }
    const owed = contracts.owed(candidates)
    if (owed >= 0) return because('contract', owed)
    const allowed = contracts.allowed(candidates) || candidates
    if (is_followed) {
      const explored = toExplore(asked, standing, allowed, chance)
      if (explored >= 0) return because('explored', explored)
    }
    const free = best(asked, standing, available, chance)
    const chosen = best(asked, standing, allowed, chance)
    if (chosen < 0) return because('explored', is_followed ? cheapestOf(allowed, asked.costs) : -1)
    if (chosen === free || free < 0) return because('good_enough', chosen)
    return because(has(candidates, free) ? 'contract' : 'outage', chosen)
  }

  function toExplore(asked: Asked, standing: Standing, set: number, chance: number): number {
    const untried = untriedOf(set, asked.costs, standing)
    if (untried >= 0) {
      let is_warm = false
      for (let n = 0; n < carriers.length; n++) is_warm ||= has(set, n) && isCompared(standing, n)
      if (!is_warm) return untried
    }
    return chance < explored_percent / 100 ? leastKnownOf(set, standing) : -1
  }

  function because(why: Reason, position: number): number {
    reason = why
    return position
  }

  function chooseFor(asked: Asked): Choice {
    const now_ms = clock()
    const [follow_chance, chance] = [draw(), draw()]
    const is_followed = choose !== 'evidence' || follow_chance < follow_percent / 100
    const available = setOf(asked.available)
    const first = Math.max(0, firstOf(available))
    const standing = standingOf(asked, now_ms)
    const is_only = (available & (available - 1)) === 0
    const intended = is_only
      ? because('only_candidate', first)
      : intend(asked, standing, available, chance, is_followed)
    const position = is_followed && intended >= 0 ? intended : first
    standing.sent[position]! += 1
    if (intended >= 0) contracts.note(intended, now_ms)
    if (intended < 0 || position === intended) return { position, reason, advised: undefined, saved: 0, gained: 0 }
    return { position, reason, advised: intended, ...differenceOf(asked, standing, position, intended) }
  }

  return {
    choose: chooseFor,
    next(asked, tried) {
      let left = setOf(asked.available)
      for (const position of tried) left &= ~(1 << position)
      if (left === 0) return undefined
      const [follow_chance, chance] = [draw(), draw()]
      if (choose === 'evidence' && follow_chance >= follow_percent / 100) return firstOf(left)
      const candidates = withoutOut(left)
      const chosen = best(asked, standingOf(asked, clock()), candidates, chance)
      return chosen >= 0 ? chosen : cheapestOf(candidates, asked.costs)
    },
  }
}

/** What the advice would have saved, and how much likelier the message would have arrived. */
function differenceOf(
  { costs }: Asked,
  standing: Standing,
  position: number,
  advised: number,
): Pick<Choice, 'saved' | 'gained'> {
  const [cost, less] = [costs[position], costs[advised]]
  const is_known = isCompared(standing, position) && isCompared(standing, advised)
  return {
    saved: cost === undefined || less === undefined ? 0 : Number(cost - less),
    gained: is_known ? standing.share[advised]! - standing.share[position]! : 0,
  }
}

function setOf(flags: readonly boolean[]): number {
  let set = 0
  for (let n = 0; n < flags.length; n++) if (flags[n]) set |= 1 << n
  return set
}
