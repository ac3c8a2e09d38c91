import { carriersOfKind, type CarrierSettings } from '../carriers/kinds.ts'
import { probeNumbersOf, type ProbeNumber } from '../carriers/phone/probe.ts'
import { TESTABLE_KINDS } from '../messaging/dispatch/test-send.ts'
import { groupBy } from '../values/group.ts'
import type { PlanList } from './schema.ts'

/** What probes can be sent through, and to. */
export type ProbeNetwork = { carriers: readonly string[]; numbers: readonly ProbeNumber[] }

/** As configured now: it may change while the service runs. */
export type ReadNetwork = () => ProbeNetwork

export function probeNetworkOf(carriers: readonly CarrierSettings[]): ProbeNetwork {
  return {
    carriers: carriers.filter(({ kind }) => TESTABLE_KINDS.includes(kind)).map(({ name }) => name),
    numbers: probeNumbersOf(carriersOfKind(carriers, 'phone')),
  }
}

/** The operators that probes can be sent to, and how many numbers each has. */
export function operatorsOf({ numbers }: ProbeNetwork): PlanList['operators'] {
  const groups = groupBy(numbers, ({ country, operator }) => JSON.stringify([country, operator]))
  return [...groups.values()].flatMap((group) => {
    const [first] = group
    return first ? [{ country: first.country, operator: first.operator, numbers: group.length }] : []
  })
}

/** The numbers that a plan sends to. */
export function numbersOf({ numbers }: ProbeNetwork, plan: { country: string; operator: string }): ProbeNumber[] {
  return numbers.filter(({ country, operator }) => country === plan.country && operator === plan.operator)
}
