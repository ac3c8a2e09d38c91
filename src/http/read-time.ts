import type { Fault } from '../values/refusal.ts'
import { isInYears } from '../values/time/moment.ts'

const ISO = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?$/

/** Parses a timestamp or date in a query; adds an error if it is neither. */
export function readTime(field: string, text: string | undefined, faults: Fault[]): number | undefined {
  if (!text) return undefined
  const ms = ISO.test(text) ? Date.parse(text) : Number.NaN
  if (isInYears(ms)) return ms
  faults.push({ field, message: 'This is not a date and time.', type: 'date_invalid' })
  return undefined
}
