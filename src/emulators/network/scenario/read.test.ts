import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { readDuration } from './duration.ts'
import { checkScenario, readScenario, ScenarioFault } from './read.ts'
import { Scenario } from './schema.ts'

const EXAMPLE = fileURLToPath(new URL('../../../../network.example.yaml', import.meta.url))
const PAGE = fileURLToPath(new URL('../../../../docs/network-simulator.md', import.meta.url))

const operators = [{ name: 'Red', prefixes: ['2341'] }]
const carriers = [{ name: 'one' }]

function faultsOf(given: unknown): readonly string[] {
  try {
    checkScenario(given)
  } catch (fault) {
    if (fault instanceof ScenarioFault) return fault.faults
    throw fault
  }
  return []
}

test('a scenario of an operator and a carrier is valid, and has defaults', () => {
  const scenario = checkScenario({ operators, carriers })
  expect(scenario).toMatchObject({ seed: 1, acceleration: 1, people: { answers: [] }, numbers: [] })
  expect(scenario.carriers[0]).toMatchObject({ port: 0, system_id: 'gangan', price: 0, lost: 0, validity: '24h' })
  expect(scenario.operators[0]?.subscribers).toEqual({ absent: 0, inbox_full: 0, ported_to: {} })
})

test('all faults of the shape are reported together, each with its place', () => {
  const wrong = {
    seed: -1,
    acceleration: 'fast',
    colour: 'red',
    operators: [{ name: 'Red', prefixes: ['+234'], subscribers: { absent: 2, asleep: 0.1 } }],
    numbers: [{ number: '12', state: 'gone' }],
    carriers: [
      { name: 'One', port: 70_000, lost: 1.1, rejected: { RNONSENSE: 0.1 }, answer: { median: 'soon' } },
      { outages: [{ kind: 'strike', from: '1h' }] },
    ],
    people: { otp: { enter: -1 } },
  }
  expect(faultsOf(wrong)).toEqual([
    'file: unknown key colour',
    'seed: must be >= 0',
    'acceleration: must be number',
    'operators.0.prefixes.0: must match pattern "^\\d{1,15}$"',
    'operators.0.subscribers: unknown key asleep',
    'operators.0.subscribers.absent: must be <= 1',
    'numbers.0.number: must match pattern "^\\d{7,15}$"',
    'numbers.0.state: must be one of reachable, absent, inbox_full, off, roaming',
    'carriers.0.name: must match pattern "^[a-z0-9-]{1,40}$"',
    'carriers.0.port: must be <= 65535',
    'carriers.0.answer.median: must match pattern "^\\d{1,9}(\\.\\d{1,6})?(ms|s|m|h|d)$"',
    'carriers.0.lost: must be <= 1',
    'carriers.0.rejected: unknown key RNONSENSE',
    'carriers.1: must have required properties name',
    'carriers.1.outages.0: must have required properties lasts',
    'carriers.1.outages.0.kind: must be one of refused, silent, rejects, drops',
    'people.otp.enter: must be >= 0',
  ])
  expect(faultsOf(null)).toEqual(['file: must be object'])
})

test('all faults of the content are reported together, each with its place', () => {
  const off = { share: 0.5, lasts: '2h', every: '1h' }
  const wrong = {
    operators: [
      { name: 'Red', prefixes: ['2341'], subscribers: { absent: 0.7, off, ported_to: { Red: 0.1, Pink: 0.1 } } },
      { name: 'Red', prefixes: ['2341'] },
      { name: 'Blue' },
      { name: 'Green', mcc_mnc: '99999' },
    ],
    numbers: [{ number: '2341000000', operator: 'Pink', from: '2h', until: '1h' }],
    carriers: [
      { name: 'one', port: 2801, price: 0.00001, lost: 0.6, faked: 0.6, rejected: { RSYSERR: 0.6, RMSGQFUL: 0.6 } },
      {
        name: 'one',
        port: 2801,
        answer: { median: '2s', p95: '1s' },
        delivery: { median: '0s', p95: '1s' },
        operators: { Pink: {}, Blue: { lost: 0.5, faked: 0.6, price: 0.00001 } },
        drift: [{ at: '1h', operator: 'Pink', lost: 0.9, undelivered: 0.9 }],
        outages: [
          { kind: 'drops', from: '0s', lasts: '0s' },
          { kind: 'drops', from: '0s', lasts: '2h', every: '1h' },
        ],
      },
    ],
    people: { otp: { enter: 1, pattern: '(' }, answers: [{ pattern: '.*', share: 1, text: 'STOP' }] },
  }
  expect(faultsOf(wrong)).toEqual([
    'operators.1.name: Red is used twice',
    'carriers.1.name: one is used twice',
    'carriers.1.port: 2801 is used twice',
    'operators: the prefix 2341 is used twice',
    'operators.0.subscribers: the shares add up to more than 1',
    'operators.0.subscribers.off.lasts: must be shorter than every',
    'operators.0.subscribers.ported_to: Red is the operator itself',
    'operators.0.subscribers.ported_to: there is no operator Pink',
    'operators.2: has neither prefixes nor mcc_mnc',
    'operators.3.mcc_mnc: 99999 is not a network whose prefixes are known; list its prefixes',
    'numbers.0.operator: there is no operator Pink',
    'numbers.0.until: must be after from',
    'carriers.0.price: must have at most four decimals',
    'carriers.0.lost, faked and undelivered: the shares add up to more than 1',
    'carriers.0.rejected: the shares add up to more than 1',
    'carriers.1.answer.p95: must be at least the median',
    'carriers.1.delivery.median: must be above 0 if there is a p95',
    'carriers.1.operators: there is no operator Pink',
    'carriers.1.operators.Blue: lost, faked and undelivered: the shares add up to more than 1',
    'carriers.1.operators.Blue.price: must have at most four decimals',
    'carriers.1.drift.0.operator: there is no operator Pink',
    'carriers.1.drift.0: lost, faked and undelivered: the shares add up to more than 1',
    'carriers.1.outages.0.lasts: must be above 0',
    'carriers.1.outages.1.every: must be longer than lasts',
    'people.otp.pattern: is not a regular expression',
    'people.answers.0.pattern: also matches an empty text',
  ])
})

test('durations have a unit', () => {
  expect(['250ms', '1.5s', '20m', '6h', '2d'].map(readDuration)).toEqual([
    250, 1_500, 1_200_000, 21_600_000, 172_800_000,
  ])
  expect(['', '5', 's', '-1s', '1 s', '1w', '1e3s'].map(readDuration)).toEqual(Array.from({ length: 7 }))
})

test('the sample scenario is valid and shows every key, which the page explains', () => {
  expect(readScenario(EXAMPLE).carriers).toHaveLength(4)
  const keys = [...new Set(keysOf(Scenario as Shape))]
  expect(keys.length).toBeGreaterThan(50)
  const [example, page] = [readFileSync(EXAMPLE, 'utf8'), readFileSync(PAGE, 'utf8')]
  expect(keys.filter((key) => !new RegExp(`(^|[\\s{,])${key}:`, 'm').test(example))).toEqual([])
  expect(keys.filter((key) => !page.includes(`\`${key}\``))).toEqual([])
})

type Shape = { properties?: Record<string, Shape>; items?: Shape; patternProperties?: Record<string, Shape> }

/** But for the names of statuses, which are not ours. */
function keysOf({ properties = {}, items, patternProperties = {} }: Shape): string[] {
  const own = Object.entries(properties).filter(([key]) => !/^R[A-Z_]+$/.test(key))
  const inner = [...own.map(([, shape]) => shape), ...Object.values(patternProperties), ...(items ? [items] : [])]
  return [...own.map(([key]) => key), ...inner.flatMap(keysOf)]
}
