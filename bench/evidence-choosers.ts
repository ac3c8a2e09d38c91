import { derive, draw } from '../src/emulators/network/model/draw.ts'

/** Chooses the carrier of each message, and learns what became of it. */
export type Chooser = {
  choose(operator: number, at_ms: number): number
  /** `is_good`: the OTP was verified. Not verified within the time limit is not good, and corrected if it is verified later. */
  learn?(result: Result): void
}

export type Result = { carrier: number; operator: number; at_ms: number; is_good: boolean; is_correction: boolean }

/** `price` of each carrier for an operator. */
export type Market = { carriers: number; operators: number; price: (carrier: number, operator: number) => number }

/** The carriers as they stand in the route: always the first one. */
export function chooseInOrder(): Chooser {
  return { choose: () => 0 }
}

export function chooseCheapest(market: Market): Chooser {
  const cheapest = Array.from({ length: market.operators }, (_, operator) => byPrice(market, operator)[0] ?? 0)
  return { choose: (operator) => cheapest[operator] ?? 0 }
}

/** Thompson sampling of the share of good results, as in textbooks: it knows neither prices nor forgets. */
export function chooseByThompson({ carriers, operators }: Market, seed: number): Chooser {
  const good = table(operators, carriers)
  const bad = table(operators, carriers)
  const random = randomOf(seed)
  return {
    choose(operator) {
      const samples = Array.from({ length: carriers }, (_, n) =>
        beta(random, 1 + (good[operator]?.[n] ?? 0), 1 + (bad[operator]?.[n] ?? 0)),
      )
      return samples.indexOf(Math.max(...samples))
    },
    learn({ carrier, operator, is_good, is_correction }) {
      add(is_good ? good : bad, operator, carrier, 1)
      if (is_correction) add(bad, operator, carrier, -1)
    },
  }
}

export type EvidenceSettings = {
  /** A carrier is good enough within this share of the best one. */
  tolerance: number
  half_life_ms: number
  /** Share of the messages that go to the carrier of which least is known. */
  explored_share: number
  /** Results, after decay, below which a carrier is not compared with others. */
  least_results: number
  /** Standard errors by which a less expensive carrier must be worse than the tolerance allows before it is given up. */
  certainty: number
}

/**
 * The least expensive carrier whose share of good results is within the tolerance of the best one (multi-armed bandits with a
 * cost subsidy: Sinha et al., AISTATS 2021). Results decay with a half-life. Carriers with too few results are tried first, in
 * the order of their prices; later a small share explores.
 */
export function chooseByEvidence(market: Market, seed: number, settings: EvidenceSettings): Chooser {
  const { tolerance, half_life_ms, explored_share, least_results, certainty } = settings
  const { carriers, operators } = market
  const random = randomOf(seed)
  const ordered = Array.from({ length: operators }, (_, operator) => byPrice(market, operator))
  const cells = Array.from({ length: operators }, () =>
    Array.from({ length: carriers }, () => ({ good: 0, all: 0, sent: 0, at_ms: 0 })),
  )

  function cellAt(operator: number, carrier: number, at_ms: number) {
    const cell = cells[operator]![carrier]!
    const left = 0.5 ** (Math.max(0, at_ms - cell.at_ms) / half_life_ms)
    cell.good *= left
    cell.all *= left
    cell.sent *= left
    cell.at_ms = Math.max(cell.at_ms, at_ms)
    return cell
  }

  function decide(operator: number, at_ms: number): number {
    const known = ordered[operator]!.map((carrier) => ({ carrier, ...cellAt(operator, carrier, at_ms) }))
    const untried = known.find(({ sent }) => sent < least_results)
    const is_warm = known.some(({ all }) => all >= least_results)
    const draw_of_exploration = random()
    if (untried && !is_warm) return untried.carrier
    if (draw_of_exploration < explored_share) {
      return known.reduce((least, one) => (one.sent < least.sent ? one : least)).carrier
    }
    const compared = known.filter(({ all }) => all >= least_results)
    const enough = (1 - tolerance) * Math.max(...compared.map((one) => shareOf(one, -certainty)))
    return (compared.find((one) => shareOf(one, certainty) >= enough) ?? known[0]!).carrier
  }

  return {
    choose(operator, at_ms) {
      const carrier = decide(operator, at_ms)
      cells[operator]![carrier]!.sent += 1
      return carrier
    },
    learn({ carrier, operator, at_ms, is_good, is_correction }) {
      const cell = cellAt(operator, carrier, at_ms)
      if (is_good) cell.good += 1
      if (!is_correction) cell.all += 1
    },
  }
}

/** The share of good results, by some standard errors higher. */
function shareOf({ good, all }: { good: number; all: number }, errors: number): number {
  const share = good / all
  return share + errors * Math.sqrt((share * (1 - share)) / all)
}

function byPrice({ carriers, price }: Market, operator: number): number[] {
  return Array.from({ length: carriers }, (_, n) => n).toSorted((a, b) => price(a, operator) - price(b, operator))
}

function table(rows: number, columns: number): number[][] {
  return Array.from({ length: rows }, () => Array.from({ length: columns }, () => 0))
}

function add(counts: number[][], row: number, column: number, amount: number): void {
  counts[row]![column]! += amount
}

type Random = () => number

function randomOf(seed: number): Random {
  let drawn = 0
  return () => draw(derive(seed, 1), drawn++)
}

/** Of the distribution Beta(a, b), for a and b of at least 1. */
function beta(random: Random, a: number, b: number): number {
  const x = gamma(random, a)
  return x / (x + gamma(random, b))
}

/** Marsaglia and Tsang, 2000. */
function gamma(random: Random, shape: number): number {
  const d = shape - 1 / 3
  const c = 1 / Math.sqrt(9 * d)
  for (;;) {
    const x = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
    const v = (1 + c * x) ** 3
    if (v > 0 && Math.log(1 - random()) < 0.5 * x * x + d - d * v + d * Math.log(v)) return d * v
  }
}
