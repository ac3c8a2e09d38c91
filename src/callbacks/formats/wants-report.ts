import { readAddress, smppWants } from './address.ts'
import { kannelWants } from './kannel.ts'

/** Clients of Kannel and of SMPP say which reports they want; everybody else wants all. */
export function wantsReport(callback: string, status: string): boolean {
  const address = readAddress(callback)
  if (address.format === 'smpp') return smppWants(address.wants, status)
  return address.format !== 'kannel' || kannelWants(address.mask, status)
}
