import { makeAccept, type AcceptDeps } from '../messaging/accept/accept.ts'
import { acceptMessages } from '../messaging/accept/store.ts'
import type { Sale, StoreSales } from '../billing/charge.ts'
import type { Draft } from '../messaging/draft.ts'
import { acceptFallback, type SecondMessage } from './fallback/fallback-store.ts'
import { writeOtps, type NewOtp } from './store.ts'

/** An OTP with its message. */
export type OtpItem = { draft: Draft; otp: NewOtp }
/** The second message of an OTP. */
export type FallbackItem = { draft: Draft; second: SecondMessage }

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

/** The same for second messages, one at a time: each is stored only while its OTP is open. */
export function makeAcceptFallbacks(deps: AcceptDeps): { storeSales: StoreSales<FallbackItem> } {
  const over_route = makeAccept<FallbackItem>(deps, draftOf, (group, items) => {
    const { draft, second } = theOnly(items)
    return acceptFallback(deps.db, group, draft, second)
  })

  /** Stored with a job for one carrier, instead of in the intake. */
  async function storeForCarrier(organisation_id: string, sale: Sale<FallbackItem>, queue: string) {
    const { draft, second } = sale.item
    const batch = { rows: [], stored: [draft] }
    const accepted = await acceptFallback(deps.db, { organisation_id, sales: [sale], batch }, draft, second)
    if (!accepted.charged) deps.wakeups.wake(queue, 0, organisation_id)
    return accepted
  }

  return {
    storeSales(organisation_id, sales) {
      const sale = theOnly(sales)
      const { queue } = sale.item.second
      return queue === undefined
        ? over_route.storeSales(organisation_id, sales)
        : storeForCarrier(organisation_id, sale, queue)
    },
  }
}

function theOnly<T>(items: readonly T[]): T {
  const [item] = items
  if (item === undefined || items.length > 1) throw new Error('a second message is accepted alone')
  return item
}
