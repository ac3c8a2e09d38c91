import { makeAccept, type AcceptDeps } from '../messaging/accept/accept.ts'
import { acceptMessages } from '../messaging/accept/store.ts'
import type { Draft } from '../messaging/draft.ts'
import { acceptFallbacks, type Fallback } from './fallback/fallback-store.ts'
import { writeOtps, type NewOtp } from './store.ts'

/** An OTP with its message. */
export type OtpItem = { draft: Draft; otp: NewOtp }
/** The fallback message of an OTP. */
export type FallbackItem = { draft: Draft; fallback: Fallback }

const draftOf = ({ draft }: { draft: Draft }): Draft => draft

/** Charges and stores OTPs and adds their messages to the intake. */
export function makeAcceptOtps(deps: AcceptDeps) {
  return makeAccept<OtpItem>(
    deps,
    draftOf,
    (group) => acceptMessages(deps.db, group, true),
    (items) => ({ otps: writeOtps(items.map(({ otp }) => otp)) }),
  )
}

/** The same for fallback messages, one organisation at a time. */
export function makeAcceptFallbacks(deps: AcceptDeps) {
  const { storeSales } = makeAccept<FallbackItem>(deps, draftOf, (group, items) =>
    acceptFallbacks(
      deps.db,
      group,
      items.map(({ fallback }) => fallback),
    ),
  )
  return { storeSales }
}
