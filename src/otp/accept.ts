import type { StoreSales } from '../billing/charge.ts'
import { storeAndSubmit, type AcceptDeps } from '../messaging/accept/accept.ts'
import type { Draft } from '../messaging/draft.ts'
import { acceptFallbacks, type Fallback } from './fallback/fallback-store.ts'
import { acceptOtps, type NewOtp } from './store.ts'

/** An OTP with its message. */
export type OtpItem = { draft: Draft; otp: NewOtp }
/** The fallback message of an OTP. */
export type FallbackItem = { draft: Draft; fallback: Fallback }

/** Charges and stores OTPs and adds their messages to the intake. */
export function makeAcceptOtps(deps: AcceptDeps): StoreSales<OtpItem> {
  return (organisation_id, sales) => {
    const drafts = sales.map(({ item }) => item.draft)
    const otps = sales.map(({ item }) => item.otp)
    return storeAndSubmit(deps, organisation_id, drafts, (burst) =>
      acceptOtps(deps.db, organisation_id, sales, burst, otps),
    )
  }
}

/** The same for fallback messages. */
export function makeAcceptFallbacks(deps: AcceptDeps): StoreSales<FallbackItem> {
  return (organisation_id, sales) => {
    const drafts = sales.map(({ item }) => item.draft)
    const fallbacks = sales.map(({ item }) => item.fallback)
    return storeAndSubmit(deps, organisation_id, drafts, (burst) =>
      acceptFallbacks(deps.db, organisation_id, sales, burst, fallbacks),
    )
  }
}
