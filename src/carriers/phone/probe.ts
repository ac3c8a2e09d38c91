import { originOfErasable } from '../../numbers/prefix-table.ts'
import type { PhoneSettings } from './schema.ts'

/** A SIM that receives probes. `phone_carrier` is the carrier that its phone belongs to. */
export type ProbeNumber = {
  phone_carrier: string
  silent_after_s: number
  number: string
  country: string
  operator: string
}

/** The numbers of all carriers with `probe: true`. */
export function probeNumbersOf(carriers: readonly PhoneSettings[]): ProbeNumber[] {
  return carriers
    .filter(({ probe }) => probe)
    .flatMap(({ name, silent_after_s, numbers }) =>
      numbers.map(({ number, operator }) => {
        const digits = digitsOf(number)
        const origin = originOfErasable(digits)
        const own = { country: origin.country, operator: operator ?? origin.operator }
        return { phone_carrier: name, silent_after_s, number: digits, ...own }
      }),
    )
}

/** Faults of the settings of one carrier, by the key. `taken` has the numbers of the carriers before it. */
export function probeFaults({ probe, numbers }: PhoneSettings, taken: Set<string>): string[] {
  if (!probe) return numbers.length > 0 ? ['numbers: only a carrier with probe: true has numbers'] : []
  const faults = numbers.length === 0 ? ['numbers: a carrier with probe: true needs the numbers of its SIMs'] : []
  for (const [n, { number, operator }] of numbers.entries()) {
    const digits = digitsOf(number)
    if (taken.has(digits)) faults.push(`numbers.${n}.number: ${number} is used twice`)
    taken.add(digits)
    const origin = originOfErasable(digits)
    if (origin.country === '') faults.push(`numbers.${n}.number: ${number} belongs to no country`)
    else if (operator === undefined && origin.operator === '') {
      faults.push(`numbers.${n}.operator: the operator of ${number} is not known by its prefix: name it`)
    }
  }
  return faults
}

function digitsOf(number: string): string {
  return number.replace('+', '')
}
