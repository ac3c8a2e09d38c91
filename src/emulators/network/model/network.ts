import type { Scenario } from '../scenario/schema.ts'
import { attemptKey, decideFate, type Fate } from './fate.ts'
import { compileCarrier, type Carrier } from './carrier.ts'
import { expectationOf, type Expectation } from './expect.ts'
import { makeSubscribers, roamingOf, type FindSubscriber, type Roaming } from './subscribers.ts'

/**
 * The model of a scenario, without sockets and clock: what becomes of a message depends on the seed, the carrier, the
 * number, the attempt and the simulated time only.
 */
export type NetworkModel = {
  carriers: readonly Carrier[]
  /** By index. */
  operators: readonly string[]
  subscriberOf: FindSubscriber
  submit(message: SubmittedMessage): Fate
  expect(carrier: number, operator: number, at_ms: number): Expectation
  oracle(operator: number, at_ms: number, tolerance?: number): number
}

export type SubmittedMessage = {
  /** Index of the carrier. */
  carrier: number
  to: string
  /** Distinguishes the messages that this carrier receives for this number. */
  attempt: number
  /** Simulated time since the beginning. */
  at_ms: number
  /** Of the message; without it, that of the carrier. */
  validity_ms?: number | undefined
}

const AT_HOME: Roaming = { lost: 0, slower_by: null }

export function makeNetworkModel(scenario: Scenario): NetworkModel {
  const { seed, operators } = scenario
  const subscriberOf = makeSubscribers(scenario)
  const carriers = scenario.carriers.map((settings) => compileCarrier(settings, operators, seed))
  const roaming = operators.map(roamingOf)

  function submit({ carrier: index, to, attempt, at_ms, validity_ms }: SubmittedMessage): Fate {
    const carrier = carriers[index]
    if (!carrier) throw new Error(`The scenario has no carrier ${index}.`)
    const subscriber = subscriberOf(to, at_ms)
    return decideFate({
      carrier,
      subscriber,
      roaming: roaming[subscriber.operator] ?? AT_HOME,
      key: attemptKey(carrier, subscriber, attempt),
      at_ms,
      validity_ms: validity_ms ?? carrier.validity_ms,
    })
  }

  function expect(index: number, operator: number, at_ms: number): Expectation {
    const carrier = carriers[index]
    if (!carrier) throw new Error(`The scenario has no carrier ${index}.`)
    return expectationOf(carrier, operators, operator, at_ms)
  }

  /** The least expensive carrier whose expected share of delivered messages is within the tolerance of the best. */
  function oracle(operator: number, at_ms: number, tolerance = 0): number {
    const expected = carriers.map((_, n) => expect(n, operator, at_ms))
    const enough = (1 - tolerance) * Math.max(...expected.map(({ delivered }) => delivered)) - 1e-12
    const costs = expected.map(({ delivered, cost }) => (delivered >= enough ? cost : Infinity))
    return costs.indexOf(Math.min(...costs))
  }

  return { carriers, operators: operators.map(({ name }) => name), subscriberOf, submit, expect, oracle }
}
