import { moneyFromText } from '../values/money.ts'
import { isRecord } from '../values/record.ts'

/** The value at a path of a vendor's answer, of any shape; undefined if there is none. */
export function at(json: unknown, ...path: string[]): unknown {
  return path.reduce((value, key) => (isRecord(value) ? value[key] : undefined), json)
}

const MAX_LENGTH = 200

/** A text or number of a vendor's answer as text, bounded and without control characters, for the database and the log. */
export function shortText(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value)
  if (typeof value !== 'string' || value === '') return undefined
  return value.replace(/[\p{Cc}\p{Bidi_Control}]+/gu, ' ').slice(0, MAX_LENGTH)
}

/** Longer than any amount with its currency. */
const MAX_AMOUNT_LENGTH = 60

/** An amount as vendors write them: `19.3`, `"19.30"`, `"NGN 1,785.5000"`. Further decimals than four are cut. */
export function amountOf(value: unknown): bigint | undefined {
  if (typeof value !== 'number' && typeof value !== 'string') return undefined
  const text = String(value)
  const [, units, decimals = ''] = (text.length > MAX_AMOUNT_LENGTH ? null : AMOUNT.exec(text.trim())) ?? []
  return units === undefined ? undefined : moneyFromText(units.replaceAll(',', '') + decimals)
}

const AMOUNT = /^(?:[A-Z]{3}\s+)?(-?[\d,]+)(?:(\.\d{1,4})\d*)?$/
