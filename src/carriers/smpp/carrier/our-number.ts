import { cleanNational, cleanDigits, type DialPlan } from '../../../values/phone/phone.ts'

/** Types of number (TON): how an SMSC says in which form an address is. */
const INTERNATIONAL = 1
const NATIONAL = 2
const UNKNOWN = 0

/**
 * An address as we write numbers: digits with country code. So a STOP is kept under the number that messages go to.
 * `plan` is that of the carrier's country. Types are often wrong, so the digits have a say as well. Short codes and names
 * stay what they are.
 */
export function ourNumber(address: string, ton: number, plan: DialPlan): string {
  if (!/^\+?\d+$/.test(address)) return address
  return numberBy(address, ton, plan) ?? address.replace(/^\+/, '')
}

function numberBy(address: string, ton: number, plan: DialPlan): string | undefined {
  switch (ton) {
    case NATIONAL:
      return cleanNational(address, plan)
    case INTERNATIONAL:
    case UNKNOWN:
      return cleanDigits(address, plan)
    default:
      return undefined
  }
}
