import { moneyToNumber } from '../values/money.ts'

/** The values of an answer that only the charging statement knows, as JSON. */
export type Facts = { created_datetime: string; balance_before: string | number; balance_after: string | number }

/** Writes the answer to a sale as JSON text once it is charged. */
export type WriteAnswer = (facts: Facts) => string

/**
 * Placeholders for the facts. The charging statement fills them in the stored answer, which an idempotent retry gets byte
 * for byte. JSON escapes control characters, so no customer's text can be mistaken for a placeholder.
 */
export const SLOTS = {
  created_datetime: '\u0001',
  balance_after: '\u0002',
  balance_before: '\u0003',
} as const satisfies Facts

export function factsOf(charged: { created_datetime: string; balance_before: bigint; balance_after: bigint }): Facts {
  return {
    created_datetime: charged.created_datetime,
    balance_before: moneyToNumber(charged.balance_before),
    balance_after: moneyToNumber(charged.balance_after),
  }
}
