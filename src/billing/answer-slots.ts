import { moneyToNumber } from '../values/money.ts'

/** What only the charging statement knows of an answer, as it is written in JSON. */
export type Facts = { created_datetime: string; balance_before: string | number; balance_after: string | number }

/** Writes the answer to a sale as JSON text once it is charged. */
export type WriteAnswer = (facts: Facts) => string

/**
 * Slots in place of the facts. An answer written with them is filled by the database, in the statement that charges, and
 * is what an idempotent retry gets byte for byte. JSON escapes control characters, so no customer's text can look like
 * a slot.
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
