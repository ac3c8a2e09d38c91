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
  type EvidenceSettings,
  type Market,
} from './evidence-choosers.ts'
import type { Figure } from './sends.ts'

const HOUR_MS = 3_600_000
const SEEDS = [1, 2, 3]
/** One OTP in this interval of simulated time, for ten per second. */
const INTERVAL_MS = 100
/** An OTP that was not verified by then counts as not verified, until it is. */
const LIMIT_MS = 60_000
const TOLERANCE = 0.03

const EVIDENCE: EvidenceSettings = {
  tolerance: TOLERANCE,
  half_life_ms: HOUR_MS / 2,
  explored_share: 0.03,
  least_results: 20,
  certainty: 1,
}

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
  ]
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
    const { shown_after_ms, cost } = model.submit({ carrier, to, attempt: 0, at_ms })
    const [entry] = shown_after_ms === null ? [] : react(to, 'Your code is 123456.', 0)
    const verified_after_ms = entry && shown_after_ms !== null ? shown_after_ms + entry.after_ms : Infinity
    if (at_ms >= warm_up_hours * HOUR_MS) {
      totals.cost += cost
      if (entry) totals.verified += 1
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
