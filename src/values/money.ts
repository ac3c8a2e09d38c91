/** Ten-thousandths of the currency unit. */
export type Money = bigint

/** What an API key may spend per day (UTC). */
export type SpendingLimit = {
  key_id: string
  /** The key that it is counted for: that itself, or the first one that it replaces. */
  spends_as: string
  daily: Money
}

/**
 * The nearest number, for JSON. It reads as the same four decimals up to 2^39 units (about 550 thousand million);
 * above, a number's own steps are wider than a ten-thousandth.
 */
export function moneyToNumber(amount: Money): number {
  return Number(amount) / 10_000
}

/** Undefined when it is not finite, has more than four decimals, or is beyond `MAX_MONEY`. */
export function moneyFromNumber(value: number): Money | undefined {
  // The number as it prints is what the customer wrote: 0.1 is 0.1, whatever its binary form. One that prints with an
  // exponent is too large or has too many decimals, and no exponent is a decimal text.
  return moneyFromText(String(value))
}

/** A decimal text such as `1000000`, `12.5` or `-0.0001`. */
export function moneyFromText(text: string): Money | undefined {
  const match = DECIMAL.exec(text)
  if (match === null) return undefined
  const [, sign, units, decimals = ''] = match
  const amount = BigInt(units + decimals.padEnd(4, '0'))
  if (amount > MAX_MONEY) return undefined
  return sign === '-' ? -amount : amount
}

/** Without needless zeros: `12.5`, `1000000`. */
export function moneyToText(amount: Money): string {
  const digits = String(amount < 0n ? -amount : amount).padStart(5, '0')
  const decimals = digits.slice(-4).replace(/0+$/, '')
  return (amount < 0n ? '-' : '') + digits.slice(0, -4) + (decimals === '' ? '' : `.${decimals}`)
}

/** Larger amounts are rejected, so that every amount is an exact JSON number. */
export const MAX_MONEY: Money = BigInt(Number.MAX_SAFE_INTEGER)

const DECIMAL = /^([+-]?)(\d{1,20})(?:\.(\d{1,4}))?$/
