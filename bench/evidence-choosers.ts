import { makeChooser } from '../src/choice/chooser.ts'
import { makeKnowledge, type Delta } from '../src/choice/knowledge.ts'
import type { EvidenceSettings } from '../src/choice/settings.ts'
import { derive, draw } from '../src/emulators/network/model/draw.ts'
import { REPORT_BOUNDS_S } from '../src/observe/evidence.ts'

/** Chooses the carrier of each message, and learns what became of it. */
export type Chooser = {
  choose(operator: number, at_ms: number): number
  /** `is_good`: the OTP was verified. Not verified within the time limit is not good, and corrected if it is verified later. */
  learn?(result: Result): void
  /** A report arrived. */
  report?(carrier: number, operator: number, after_ms: number): void
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

/** The chooser of the service, fed every two seconds with what was counted, as from its table. */
export function chooseByEvidence(
  { carriers, operators, price }: Market,
  seed: number,
  evidence: Omit<EvidenceSettings, 'seed'>,
): Chooser {
  const time = { ms: 0 }
  const clock = () => time.ms
  const knowledge = makeKnowledge(clock)
  const names = Array.from({ length: carriers }, (_, n) => String(n))
  const chooser = makeChooser(
    { carriers: names, choose: 'evidence', evidence: { ...evidence, seed } },
    knowledge,
    clock,
    Math.random,
  )
  const asked = Array.from({ length: operators }, (_, operator) => ({
    ...keyOf(operator),
    costs: names.map((name) => BigInt(price(Number(name), operator))),
    available: names.map(() => true),
  }))
  let counted = new Map<number, Delta>()
  let fed_ms = 0

  function rowOf(carrier: number, operator: number): Delta {
    const key = carrier * operators + operator
    let own = counted.get(key)
    if (!own) {
      const none = { submitted: 0, delivered: 0, undelivered: 0, judged: 0, good: 0, rejections: [] }
      own = { carrier: String(carrier), ...keyOf(operator), ...none, report_times: REPORT_TIMES.map(() => 0) }
      counted.set(key, own)
    }
    return own
  }

  return {
    choose(operator, at_ms) {
      time.ms = at_ms
      if (at_ms - fed_ms >= FED_EVERY_MS) {
        fed_ms = at_ms
        knowledge.add([...counted.values()])
        counted = new Map()
      }
      const { position } = chooser.choose(asked[operator]!)
      rowOf(position, operator).submitted += 1
      return position
    },
    learn({ carrier, operator, is_good, is_correction }) {
      const row = rowOf(carrier, operator)
      if (is_good) row.good += 1
      if (!is_correction) row.judged += 1
    },
    report(carrier, operator, after_ms) {
      const row = rowOf(carrier, operator)
      row.delivered += 1
      const place = REPORT_BOUNDS_S.findIndex((bound) => after_ms <= 1_000 * bound)
      row.report_times = row.report_times.with(
        place < 0 ? REPORT_BOUNDS_S.length : place,
        1 + (row.report_times.at(place) ?? 0),
      )
    },
  }
}

const FED_EVERY_MS = 2_000
const REPORT_TIMES = [...REPORT_BOUNDS_S, Infinity]

function keyOf(operator: number) {
  return { country: 'NG', operator: String(operator), channel: 'sms', class: 'otp' as const }
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
