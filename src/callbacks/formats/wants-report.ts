import { hasReceiver, readAddress, smppWants } from './address.ts'
import { kannelWants } from './kannel.ts'

/** Clients of Kannel and of SMPP say which reports they want; everybody else wants all. */
export function wantsReport(callback: string, status: string): boolean {
  const address = readAddress(callback)
  if (address.format === 'smpp') return smppWants(address.wants, status)
  if (address.format === 'kannel') return kannelWants(address.mask, status)
  return hasReceiver(callback)
}
