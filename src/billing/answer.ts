import { moneyToNumber } from '../values/money.ts'

/**
 * An answer is written before its sale is charged, with slots for what only the charging statement knows: the time,
 * and the balance after and before. JSON escapes control characters, so no customer's text can look like a slot. The
 * same text, filled by the database, is what an idempotent retry gets byte for byte.
 */
export const CREATED = '\u0001'
export const AFTER = '\u0002'
export const BEFORE = '\u0003'

export function fillAnswer(
  answer: string,
  facts: { created_datetime: string; balance_before: bigint; balance_after: bigint },
): string {
  return answer
    .replace(CREATED, facts.created_datetime)
    .replace(AFTER, String(moneyToNumber(facts.balance_after)))
    .replace(BEFORE, String(moneyToNumber(facts.balance_before)))
}
