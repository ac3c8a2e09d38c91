import { adviceFor, describeCode } from '../carriers/delivery-codes.ts'
import { present } from '../values/record.ts'

/** Deliveries that did not arrive. The outcome of an `unknown` one is open: its report never came. */
export const FAILED = ['undelivered', 'expired', 'rejected', 'failed'] as const

/** What a code means and what to do about it, if known: counters store codes, not the description of each delivery. */
export function failureWords(status: string, code: string): { description?: string; advice?: string } {
  return { ...present('description', describeCode(status, code)), ...present('advice', adviceFor({ status, code })) }
}
