import { measureJson } from './measure-json.ts'
import { Refusal, type Fault } from '../refusal.ts'

/**
 * Parses untrusted JSON; undefined when it is invalid. If it is too deep or has too many values, `tooMuch` is called
 * and the result is undefined unless that throws.
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

/** The same, but throws a refusal if it is too deep or has too many values. */
export function parseJsonOrRefuse(text: string): unknown {
  return parseJson(text, undefined, ({ message }) => {
    throw new Refusal('body_too_large', message)
  })
}
