import type { StoreSales } from '../billing/charge.ts'
import { storeAndSubmit, type AcceptDeps } from '../messaging/accept/accept.ts'
import type { Draft } from '../messaging/draft.ts'
import { acceptFallbacks, type Fallback } from './fallback/fallback-store.ts'
import { acceptOtps, type NewOtp } from './store.ts'

/** A one-time password and the message that carries it. */
export type OtpItem = { draft: Draft; otp: NewOtp }
/** The second message of one. */
export type FallbackItem = { draft: Draft; fallback: Fallback }

/** Charges one-time passwords, stores them, and puts their messages into the intake. */
export function makeAcceptOtps(deps: AcceptDeps): StoreSales<OtpItem> {
  return (organisation_id, sales) => {
    const drafts = sales.map(({ item }) => item.draft)
    const otps = sales.map(({ item }) => item.otp)
    return storeAndSubmit(deps, organisation_id, drafts, (burst) =>
      acceptOtps(deps.db, organisation_id, sales, burst, otps),
    )
  }
}

/** The same for messages on their second channel. */
export function makeAcceptFallbacks(deps: AcceptDeps): StoreSales<FallbackItem> {
  return (organisation_id, sales) => {
    const drafts = sales.map(({ item }) => item.draft)
    const fallbacks = sales.map(({ item }) => item.fallback)
    return storeAndSubmit(deps, organisation_id, drafts, (burst) =>
      acceptFallbacks(deps.db, organisation_id, sales, burst, fallbacks),
    )
  }
}
