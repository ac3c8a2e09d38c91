import { networkOf } from '../../../numbers/network-codes.ts'
import { moneyFromNumber } from '../../../values/money.ts'
import { durationMs } from './duration.ts'
import type { CarrierSettings, Delay, Scenario } from './schema.ts'

/** What the schema cannot say: names are unique and exist, shares of one whole are at most 1, patterns can be read. */
export function contentFaults(scenario: Scenario): string[] {
  const { operators, numbers, carriers, people } = scenario
  const names = new Set(operators.map(({ name }) => name))
  const isUnknown = (name: string | undefined) => name !== undefined && !names.has(name)
  const faults = [
    ...repeated(
      'operators',
      'name',
      operators.map(({ name }) => name),
    ),
    ...repeated(
      'carriers',
      'name',
      carriers.map(({ name }) => name),
    ),
    ...repeated(
      'carriers',
      'port',
      carriers.map(({ port }) => (port === 0 ? undefined : String(port))),
    ),
    ...prefixesTwice(operators.flatMap(({ prefixes = [] }) => prefixes)),
  ]
  for (const [n, operator] of operators.entries()) {
    const place = `operators.${n}`
    const { subscribers, prefixes, mcc_mnc } = operator
    const { absent, inbox_full, off, roaming, ported_to } = subscribers
    if (prefixes === undefined && mcc_mnc === undefined) faults.push(`${place}: has neither prefixes nor mcc_mnc`)
    if (prefixes === undefined && mcc_mnc !== undefined && !networkOf(mcc_mnc.slice(0, 3), mcc_mnc.slice(3))?.operator)
      faults.push(`${place}.mcc_mnc: ${mcc_mnc} is not a network whose prefixes are known; list its prefixes`)
    faults.push(...tooMuch(`${place}.subscribers`, [absent, inbox_full, off?.share, roaming?.share]))
    faults.push(...tooMuch(`${place}.subscribers.ported_to`, Object.values(ported_to)))
    if (off && durationMs(off.lasts) >= durationMs(off.every))
      faults.push(`${place}.subscribers.off.lasts: must be shorter than every`)
    if (roaming?.slower_by) faults.push(...delayFaults(`${place}.subscribers.roaming.slower_by`, roaming.slower_by))
    for (const name of Object.keys(ported_to)) {
      if (isUnknown(name)) faults.push(`${place}.subscribers.ported_to: there is no operator ${name}`)
      if (name === operator.name) faults.push(`${place}.subscribers.ported_to: ${name} is the operator itself`)
    }
  }
  for (const [n, { operator, from, until }] of numbers.entries()) {
    if (isUnknown(operator)) faults.push(`numbers.${n}.operator: there is no operator ${operator}`)
    if (until !== undefined && durationMs(until) <= durationMs(from ?? '0s'))
      faults.push(`numbers.${n}.until: must be after from`)
  }
  for (const [n, carrier] of carriers.entries())
    faults.push(...carrierFaults(carrier, isUnknown).map((fault) => `carriers.${n}.${fault}`))
  if (people.otp) faults.push(...patternFaults('people.otp.pattern', people.otp.pattern))
  if (people.otp) faults.push(...delayFaults('people.otp.after', people.otp.after))
  for (const [n, { pattern, after }] of people.answers.entries()) {
    faults.push(...patternFaults(`people.answers.${n}.pattern`, pattern))
    faults.push(...delayFaults(`people.answers.${n}.after`, after))
  }
  return faults
}

function carrierFaults(carrier: CarrierSettings, isUnknown: (name: string | undefined) => boolean): string[] {
  const { price, lost, faked, undelivered, rejected, operators, drift, outages } = carrier
  const faults = [...priceFaults('price', price), ...tooMuch('lost, faked and undelivered', [lost, faked, undelivered])]
  faults.push(...tooMuch('rejected', Object.values(rejected)))
  for (const key of ['answer', 'delivery', 'receipt', 'faked_receipt'] as const)
    faults.push(...delayFaults(key, carrier[key]))
  for (const [name, own] of Object.entries(operators)) {
    const place = `operators.${name}`
    if (isUnknown(name)) faults.push(`operators: there is no operator ${name}`)
    const shares = [own.lost ?? lost, own.faked ?? faked, own.undelivered ?? undelivered]
    faults.push(...tooMuch(`${place}: lost, faked and undelivered`, shares))
    faults.push(...priceFaults(`${place}.price`, own.price ?? 0))
    if (own.rejected) faults.push(...tooMuch(`${place}.rejected`, Object.values(own.rejected)))
    if (own.delivery) faults.push(...delayFaults(`${place}.delivery`, own.delivery))
  }
  for (const [n, point] of drift.entries()) {
    if (isUnknown(point.operator)) faults.push(`drift.${n}.operator: there is no operator ${point.operator}`)
    faults.push(...tooMuch(`drift.${n}: lost, faked and undelivered`, [point.lost, point.faked, point.undelivered]))
  }
  for (const [n, { lasts, every }] of outages.entries()) {
    if (durationMs(lasts) === 0) faults.push(`outages.${n}.lasts: must be above 0`)
    if (every !== undefined && durationMs(every) <= durationMs(lasts))
      faults.push(`outages.${n}.every: must be longer than lasts`)
  }
  return faults
}

function tooMuch(place: string, shares: readonly (number | undefined)[]): string[] {
  const sum = shares.reduce<number>((total, share) => total + (share ?? 0), 0)
  return sum > 1 + 1e-9 ? [`${place}: the shares add up to more than 1`] : []
}

function priceFaults(place: string, price: number): string[] {
  return moneyFromNumber(price) === undefined ? [`${place}: must have at most four decimals`] : []
}

function delayFaults(place: string, { median, p95 }: Delay): string[] {
  if (p95 === undefined) return []
  if (durationMs(median) === 0) return [`${place}.median: must be above 0 if there is a p95`]
  return durationMs(p95) < durationMs(median) ? [`${place}.p95: must be at least the median`] : []
}

function patternFaults(place: string, pattern: string): string[] {
  try {
    return new RegExp(pattern, 'u').test('') ? [`${place}: also matches an empty text`] : []
  } catch {
    return [`${place}: is not a regular expression`]
  }
}

function repeated(list: string, key: string, values: readonly (string | undefined)[]): string[] {
  return laterOnes(values).map(({ value, n }) => `${list}.${n}.${key}: ${value} is used twice`)
}

function prefixesTwice(prefixes: readonly string[]): string[] {
  return laterOnes(prefixes).map(({ value }) => `operators: the prefix ${value} is used twice`)
}

/** The values that stand in the list before. */
function laterOnes(values: readonly (string | undefined)[]): { value: string; n: number }[] {
  const seen = new Set<string>()
  return values.flatMap((value, n) => {
    if (value === undefined) return []
    if (seen.has(value)) return [{ value, n }]
    seen.add(value)
    return []
  })
}
