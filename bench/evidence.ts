import { makeAgenda } from '../src/emulators/network/clock.ts'
import { makeNetworkModel, type NetworkModel } from '../src/emulators/network/model/network.ts'
import { makePeople } from '../src/emulators/network/model/people.ts'
import { checkScenario } from '../src/emulators/network/scenario/read.ts'
import type { Scenario } from '../src/emulators/network/scenario/schema.ts'
import {
  chooseByEvidence,
  chooseByThompson,
  chooseCheapest,
  chooseInOrder,
  type Chooser,
  type Market,
} from './evidence-choosers.ts'
import { runHonesty } from './evidence-honesty.ts'
import { runCarrier } from './evidence-outages.ts'
import type { Figure } from './sends.ts'

const HOUR_MS = 3_600_000
const SEEDS = [1, 2, 3]
/** One OTP in this interval of simulated time, for ten per second. */
const INTERVAL_MS = 100
/** An OTP that was not verified by then counts as not verified, until it is. */
const LIMIT_MS = 60_000
const TOLERANCE = 0.03

const EVIDENCE = { follow_percent: 100, tolerance: TOLERANCE, half_life_minutes: 30, explored_percent: 3 }

/** Seeds of an outage, of a carrier that fakes reports, and of honest carriers. */
const RUNS = { outage: 100, faker: 200, honest: 1_000 }

export type Run = { hours: number; warm_up_hours: number }

/**
 * Which carrier a router would choose, on the model of the network simulator: four carriers, four operators, prices, drift,
 * twenty minutes in which one drops everything, and one that fakes a fifth of its receipts.
 */
export async function benchEvidence(): Promise<Figure[]> {
  const run = { hours: 8, warm_up_hours: 1 }
  const by_seed = SEEDS.map((seed) => compareChoosers(seed, run))
  return [
    {
      name: 'OTPs of a run, after the first hour',
      figure: ((run.hours - 1) * (HOUR_MS / INTERVAL_MS)).toLocaleString('en'),
    },
    ...keysOfFirst(by_seed).flatMap((name) => [
      {
        name: `${name}: verified, of those of an oracle`,
        figure: shares(by_seed.map((one) => one[name]?.verified ?? 0)),
      },
      { name: '  cost, of that of the oracle', figure: shares(by_seed.map((one) => one[name]?.cost ?? 0)) },
    ]),
    ...benchOutages(),
    ...benchHonesty(),
  ]
}

const OUTAGE = { from_s: 3_000, until_s: 3_900 }
const ALARM_RATES = [0.1, 1, 10, 100]
const ALARM_SEEDS = 3

function benchOutages(): Figure[] {
  const figures = [1, 0.5].flatMap((lost): Figure[] => {
    const runs = seedsTo(RUNS.outage).map((seed) =>
      runCarrier({ seed, rate: 10, hours: 1.5, outage: { ...OUTAGE, lost } }),
    )
    const name = `a carrier that loses ${100 * lost} % of 10 messages per second`
    return [
      { name: `${name}: seconds until it is left out`, figure: spread(runs.map((run) => run.left_after_s)) },
      { name: '  seconds after the end until it is back', figure: spread(runs.map((run) => run.back_after_s)) },
    ]
  })
  const alarms = ALARM_RATES.map((rate) =>
    seedsTo(ALARM_SEEDS).reduce((sum, seed) => sum + runCarrier({ seed, rate, hours: 24 }).false_alarms, 0),
  )
  const name = `false alarms in ${ALARM_SEEDS} days each at ${ALARM_RATES.join(', ')} messages per second`
  return [...figures, { name, figure: alarms.join(', ') }]
}

export const FAKING = [
  { name: 'faker', faked: 0.2, weight: 1 },
  { name: 'direct', faked: 0, weight: 2 },
  { name: 'lossy', faked: 0, weight: 2, lost: 0.1 },
]
/** Slow, with losses that change, without all reports, and with few messages. */
export const HONEST = [
  { name: 'direct', faked: 0, weight: 3, lost: 0.01 },
  { name: 'slow', faked: 0, weight: 1, fast: 0.2 },
  { name: 'lossy', faked: 0, weight: 2, lost: 0.15 },
  { name: 'unreported', faked: 0, weight: 1, unreported: 0.4 },
  { name: 'few', faked: 0, weight: 0.03 },
]

function benchHonesty(): Figure[] {
  const fakers = seedsTo(RUNS.faker).map((seed) => runHonesty({ seed, otps: 5_000, carriers: FAKING }).doubted_after)
  const honest = seedsTo(RUNS.honest).map((seed) => runHonesty({ seed, otps: 3_000, carriers: HONEST }).doubted_after)
  return [
    {
      name: 'a carrier that fakes 20 % of its receipts: OTPs through it until it is doubtful',
      figure: spread(fakers.map(({ faker }) => faker)),
    },
    {
      name: '  runs in which it took more than 500',
      figure: `${fakers.filter(({ faker = Infinity }) => faker > 500).length} of ${RUNS.faker}`,
    },
    {
      name: 'honest carriers doubted',
      figure: `in ${honest.filter((doubted) => Object.keys(doubted).length > 0).length} of ${RUNS.honest.toLocaleString('en')} runs`,
    },
  ]
}

function seedsTo(count: number): number[] {
  return Array.from({ length: count }, (_, n) => n + 1)
}

/** The median, and the range. */
function spread(values: readonly (number | undefined)[]): string {
  const sorted = values.map((value) => value ?? Infinity).toSorted((a, b) => a - b)
  const text = (value = 0) => (value === Infinity ? 'never' : String(value))
  return `${text(sorted[Math.floor(sorted.length / 2)])} (${text(sorted[0])} to ${text(sorted.at(-1))}; 95 % within ${text(sorted[Math.floor(0.95 * sorted.length)])})`
}

type Compared = Record<string, { verified: number; cost: number; choices: number }>

/** Each chooser against the oracle, on the same traffic. `choices` is a hash of all its choices. */
export function compareChoosers(seed: number, run: Run): Compared {
  const scenario = scenarioOf(seed)
  const model = makeNetworkModel(scenario)
  const market: Market = {
    carriers: model.carriers.length,
    operators: model.operators.length,
    price: (carrier, operator) => model.carriers[carrier]?.towards[operator]?.price ?? Infinity,
  }
  const oracle: Chooser = { choose: (operator, at_ms) => model.oracle(operator, at_ms, TOLERANCE) }
  const best = simulate(scenario, model, oracle, run)
  const choosers: Record<string, Chooser> = {
    order: chooseInOrder(),
    cheapest: chooseCheapest(market),
    'Thompson sampling': chooseByThompson(market, seed),
    evidence: chooseByEvidence(market, seed, EVIDENCE),
  }
  return Object.fromEntries(
    Object.entries(choosers).map(([name, chooser]) => {
      const { verified, cost, choices } = simulate(scenario, model, chooser, run)
      return [name, { verified: verified / best.verified, cost: cost / best.cost, choices }]
    }),
  )
}

function simulate(scenario: Scenario, model: NetworkModel, chooser: Chooser, { hours, warm_up_hours }: Run) {
  const react = makePeople(scenario)
  const agenda = makeAgenda()
  const totals = { verified: 0, cost: 0, choices: 0 }
  const end_ms = hours * HOUR_MS
  for (let n = 0, at_ms = 0; at_ms < end_ms; n++, at_ms += INTERVAL_MS) {
    while (agenda.next_ms <= at_ms) agenda.take()()
    const to = `${PREFIXES[n % PREFIXES.length]}${String(1_000_000 + n)}`
    const { operator } = model.subscriberOf(to, at_ms)
    const carrier = chooser.choose(operator, at_ms)
    totals.choices = (Math.imul(totals.choices, 31) + carrier) | 0
    const { shown_after_ms, cost, receipt } = model.submit({ carrier, to, attempt: 0, at_ms })
    const [entry] = shown_after_ms === null ? [] : react(to, 'Your code is 123456.', 0)
    const verified_after_ms = entry && shown_after_ms !== null ? shown_after_ms + entry.after_ms : Infinity
    if (at_ms >= warm_up_hours * HOUR_MS) {
      totals.cost += cost
      if (entry) totals.verified += 1
    }
    if (chooser.report && receipt) {
      const { after_ms } = receipt
      agenda.add(at_ms + after_ms, () => chooser.report?.(carrier, operator, after_ms))
    }
    if (!chooser.learn) continue
    const learn = (after_ms: number, is_good: boolean, is_correction = false) => {
      const result = { carrier, operator, at_ms: at_ms + after_ms, is_good, is_correction }
      agenda.add(result.at_ms, () => chooser.learn?.(result))
    }
    learn(Math.min(LIMIT_MS, verified_after_ms), verified_after_ms <= LIMIT_MS)
    if (verified_after_ms > LIMIT_MS && verified_after_ms < HOUR_MS) learn(verified_after_ms, true, true)
  }
  return totals
}

const PREFIXES = ['234803', '234802', '234805', '234809']

function scenarioOf(seed: number): Scenario {
  const operators = ['MTN', 'Airtel', 'Glo', '9mobile'].map((name, n) => {
    return {
      name,
      prefixes: [PREFIXES[n]],
      subscribers: { absent: 0.02, off: { share: 0.1, lasts: '20m', every: '6h' } },
    }
  })
  return checkScenario({
    seed,
    operators,
    carriers: [
      { name: 'direct', price: 4, lost: 0.01 },
      {
        name: 'regional',
        price: 2.8,
        lost: 0.02,
        operators: { Glo: { lost: 0.12 }, '9mobile': { lost: 0.2 } },
        outages: [{ kind: 'drops', from: '3h', lasts: '20m' }],
      },
      {
        name: 'bargain',
        price: 1.6,
        lost: 0.1,
        operators: { Airtel: { lost: 0.02 }, '9mobile': { lost: 0.02 } },
        drift: [
          { at: '4h', operator: 'Airtel', lost: 0.02 },
          { at: '6h', operator: 'Airtel', lost: 0.25 },
        ],
      },
      { name: 'faker', price: 1.4, faked: 0.2 },
    ],
    people: { otp: { enter: 0.85 } },
  })
}

function keysOfFirst([first = {}]: readonly Compared[]): string[] {
  return Object.keys(first)
}

/** The median, and the range over the seeds. */
function shares(values: readonly number[]): string {
  const sorted = values.toSorted((a, b) => a - b)
  const percent = (value = 0) => `${(value * 100).toFixed(1)} %`
  return `${percent(sorted[Math.floor(sorted.length / 2)])} (${percent(sorted[0])} to ${percent(sorted.at(-1))})`
}
