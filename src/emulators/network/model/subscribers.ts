import { networkOf, type Network } from '../../../numbers/network-codes.ts'
import { readPrefixTable, type Origin } from '../../../numbers/prefix-table.ts'
import { groupBy } from '../../../values/group.ts'
import { durationMs } from '../scenario/duration.ts'
import type { OperatorSettings, Scenario, SubscriberSettings, SubscriberState } from '../scenario/schema.ts'
import { delayCurve, draw, keyOf, type DelayCurve } from './draw.ts'

/** The phone with a number, at a time. */
export type Subscriber = {
  /** Of its random numbers. */
  key: number
  /** Index of the operator that serves it; -1: none. */
  operator: number
  /** It left the operator that its prefix belongs to. */
  is_ported: boolean
  state: SubscriberState
  /** How long it stays off; Infinity: for good. */
  off_for_ms: number
}

export type FindSubscriber = (number: string, at_ms: number) => Subscriber

const PURPOSE = { state: 1, ported: 2, off_phase: 3 }

export function makeSubscribers({ seed, operators, numbers }: Scenario): FindSubscriber {
  const rangeOf = makeRanges(operators)
  const compiled = operators.map((operator) => compile(operator, operators))
  const listed = groupBy(numbers.map(readListed(operators)), ({ number }) => number)

  return (number, at_ms) => {
    const key = keyOf(seed, number)
    const range = rangeOf(number)
    const own = compiled[range]
    const entries = listed.size === 0 ? undefined : listed.get(number)
    if (entries) return { key, ...listedSubscriber(entries, range, at_ms) }
    const operator = own ? (pick(own.ported_to, draw(key, PURPOSE.ported)) ?? range) : -1
    const is_ported = operator !== range
    const chance = draw(key, PURPOSE.state)
    const { states, off } = compiled[operator] ?? NO_SUBSCRIBERS
    const state = pick(states, chance) ?? 'reachable'
    if (state !== 'off' || !off) return { key, operator, is_ported, state, off_for_ms: 0 }
    const since_ms = (at_ms + draw(key, PURPOSE.off_phase) * off.every_ms) % off.every_ms
    return since_ms < off.lasts_ms
      ? { key, operator, is_ported, state, off_for_ms: off.lasts_ms - since_ms }
      : { key, operator, is_ported, state: 'reachable', off_for_ms: 0 }
  }
}

function listedSubscriber(entries: readonly Listed[], range: number, at_ms: number): Omit<Subscriber, 'key'> {
  const operator = entries.find((entry) => entry.operator !== undefined)?.operator ?? range
  const now = entries.find(({ from_ms, until_ms }) => at_ms >= from_ms && at_ms < until_ms)
  const off_for_ms = now?.state === 'off' ? now.until_ms - at_ms : 0
  return { operator, is_ported: operator !== range, state: now?.state ?? 'reachable', off_for_ms }
}

export type Roaming = { lost: number; slower_by: DelayCurve | null }

/** Of each operator: what happens to texts to its subscribers abroad. */
export function roamingOf({ subscribers }: OperatorSettings): Roaming {
  const { lost = 0, slower_by } = subscribers.roaming ?? {}
  return { lost, slower_by: slower_by === undefined ? null : delayCurve(slower_by) }
}

/** Shares of a whole, with the upper bound of each. */
type Shares<T> = readonly { value: T; below: number }[]

type Compiled = {
  states: Shares<SubscriberState>
  ported_to: Shares<number>
  off: { lasts_ms: number; every_ms: number } | undefined
}

const NO_SUBSCRIBERS: Compiled = { states: [], ported_to: [], off: undefined }

function compile({ subscribers }: OperatorSettings, operators: readonly OperatorSettings[]): Compiled {
  const { absent, inbox_full, off, roaming, ported_to } = subscribers
  return {
    states: stack<SubscriberState>([
      ['absent', absent],
      ['inbox_full', inbox_full],
      ['off', off?.share ?? 0],
      ['roaming', roaming?.share ?? 0],
    ]),
    ported_to: stack(Object.entries(ported_to).map(([name, share]) => [indexOf(operators, name), share])),
    off: off && { lasts_ms: durationMs(off.lasts), every_ms: durationMs(off.every) },
  }
}

function stack<T>(shares: readonly (readonly [T, number])[]): Shares<T> {
  let below = 0
  return shares.map(([value, share]) => ({ value, below: (below += share) }))
}

function pick<T>(shares: Shares<T>, chance: number): T | undefined {
  for (const { value, below } of shares) if (chance < below) return value
  return undefined
}

function indexOf(operators: readonly OperatorSettings[], name: string): number {
  return operators.findIndex((operator) => operator.name === name)
}

type Listed = {
  number: string
  operator: number | undefined
  state: SubscriberState
  from_ms: number
  until_ms: number
}

function readListed(operators: readonly OperatorSettings[]) {
  return ({ number, operator, state, from, until }: SubscriberSettings): Listed => ({
    number,
    operator: operator === undefined ? undefined : indexOf(operators, operator),
    state: state ?? 'reachable',
    from_ms: from === undefined ? 0 : durationMs(from),
    until_ms: until === undefined ? Infinity : durationMs(until),
  })
}

/** The operator by the longest prefix that the scenario lists, or else by the table of prefixes; -1: none. */
function makeRanges(operators: readonly OperatorSettings[]): (number: string) => number {
  const by_prefix = new Map(operators.flatMap(({ prefixes = [] }, n) => prefixes.map((prefix) => [prefix, n] as const)))
  const lengths = [...new Set([...by_prefix.keys()].map(({ length }) => length))].toSorted((a, b) => b - a)
  const networks = operators.map(({ mcc_mnc, prefixes }) => (prefixes ? undefined : networkOfCode(mcc_mnc ?? '')))
  const { originOf } = networks.some(Boolean) ? readPrefixTable() : { originOf: null }
  const by_origin = new Map<Origin, number>()
  return (number) => {
    for (const length of lengths) {
      const found = by_prefix.get(number.slice(0, length))
      if (found !== undefined) return found
    }
    if (originOf === null) return -1
    const origin = originOf(number)
    let found = by_origin.get(origin)
    if (found === undefined) {
      const { operator, country } = origin
      found = networks.findIndex((network) => network?.operator === operator && network.country === country)
      by_origin.set(origin, found)
    }
    return found
  }
}

function networkOfCode(mcc_mnc: string): Network | undefined {
  return networkOf(mcc_mnc.slice(0, 3), mcc_mnc.slice(3))
}
