import { moneyFromText } from '../values/money.ts'
import { isRecord } from '../values/record.ts'

/** The value at a path of a vendor's answer, whatever shape it has. */
export function at(json: unknown, ...path: string[]): unknown {
  return path.reduce((value, key) => (isRecord(value) ? value[key] : undefined), json)
}

/** Undefined when it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const MAX_WORDS = 200

/** A short text or number of a vendor's answer as text, fit for the database and the log. */
export function words(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value)
  if (typeof value !== 'string' || value === '') return undefined
  return value.replace(/[\p{Cc}\p{Bidi_Control}]+/gu, ' ').slice(0, MAX_WORDS)
}

/** An amount as vendors write them: `19.3`, `"19.30"`, `"NGN 1,785.5000"`. More than four decimals are cut. */
export function amountOf(value: unknown): bigint | undefined {
  if (typeof value !== 'number' && typeof value !== 'string') return undefined
  const match = /^(?:[A-Z]{3}\s+)?(-?[\d,]+(?:\.\d{1,4})?)\d*$/.exec(String(value).trim())
  return match?.[1] === undefined ? undefined : moneyFromText(match[1].replaceAll(',', ''))
}
