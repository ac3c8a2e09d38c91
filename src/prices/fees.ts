import { moneyToNumber } from '../values/money.ts'
import { present } from '../values/record.ts'

/** What a price list charges beside messages; null: nothing. */
export type Fees = {
  otp_per_request: bigint | null
  /** Refunded unless the OTP is verified. */
  otp_per_verified: bigint | null
  /** Hundredths of a percent of the amount of airtime; negative: a discount. */
  airtime_commission: number | null
}

/** The fees of organisations with this price list; null: the default. A promise only if the list has to be loaded. */
export type FeesOf = (price_list_id: string | null) => Fees | Promise<Fees>

export const NO_FEES: Fees = { otp_per_request: null, otp_per_verified: null, airtime_commission: null }

/** Rounded to the nearest ten-thousandth; undefined: none. */
export function commissionOn(amount: bigint, { airtime_commission }: Fees): bigint | undefined {
  if (!airtime_commission) return undefined
  const share = amount * BigInt(Math.abs(airtime_commission))
  const rounded = (share + HALF) / WHOLE
  return (airtime_commission < 0 ? -rounded : rounded) || undefined
}

/** As the API returns them: amounts in currency units, and percent. */
export function shownFees({ otp_per_request, otp_per_verified, airtime_commission }: Fees) {
  return {
    ...present('otp_per_request', otp_per_request === null ? null : moneyToNumber(otp_per_request)),
    ...present('otp_per_verified', otp_per_verified === null ? null : moneyToNumber(otp_per_verified)),
    ...present('airtime_commission', airtime_commission === null ? null : airtime_commission / 100),
  }
}

/** Hundredths of a percent in the amount. */
const WHOLE = 10_000n
const HALF = WHOLE / 2n
