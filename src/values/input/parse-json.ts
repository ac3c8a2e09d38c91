import { measureJson } from './measure-json.ts'
import { Refusal, type Fault } from '../refusal.ts'

/**
 * Parses JSON that a caller, a vendor or a phone sent; undefined when it is not JSON. It is measured first: what is deeper
 * or has more values than anything we read is `tooMuch`, and undefined unless that throws.
 */
export function parseJson(text: string, most_values?: number, tooMuch?: (fault: Fault) => never): unknown {
  const fault = measureJson(text, most_values)
  if (fault) return tooMuch?.(fault)
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The same where the sender must not take it for stored: what is too much is refused. */
export function parseJsonOrRefuse(text: string): unknown {
  return parseJson(text, undefined, ({ message }) => {
    throw new Refusal('body_too_large', message)
  })
}
