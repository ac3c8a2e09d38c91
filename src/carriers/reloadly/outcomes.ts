import type { PurchaseOutcome, RequeryOutcome, VendorWords } from '../topup-carrier.ts'
import { amountOf, at, shortText } from '../vendor-values.ts'

/** The refusals that are known to mean that nothing was bought, permanently. */
const FAILED = new Set([
  'INVALID_RECIPIENT_PHONE',
  'INVALID_PHONE_NUMBER',
  'INVALID_SENDER_PHONE',
  'COUNTRY_NOT_SUPPORTED',
  'OPERATOR_NOT_FOUND',
  'COULD_NOT_AUTO_DETECT_OPERATOR',
  'IMPOSSIBLE_AMOUNT',
])
const OUT_OF_MONEY = 'INSUFFICIENT_BALANCE'
const DUPLICATE = 'PHONE_RECENTLY_RECHARGED'

/** The outcome by a transaction's status; REFUNDED is a failure. */
export function statusOutcome(transaction: unknown): Exclude<RequeryOutcome, { kind: 'not_found' }> {
  const said = saidOf(transaction)
  switch (at(transaction, 'status')) {
    case 'SUCCESSFUL':
      return { kind: 'success', ...said }
    case 'FAILED':
    case 'REFUNDED':
      return { kind: 'failed', ...said }
    case 'PROCESSING':
      return { kind: 'accepted', ...said }
    default:
      return { kind: 'unclear', ...said }
  }
}

/**
 * A code that is not in the list may come before or after the purchase, and CUSTOM_IDENTIFIER_ALREADY_USED means that our
 * reference has arrived before: these are queried.
 */
export function refusalOutcome(status: number, json: unknown): PurchaseOutcome {
  const code = shortText(at(json, 'errorCode'))
  const said = { code: code ?? `HTTP ${status}`, description: shortText(at(json, 'message')) }
  if (code === undefined || status < 400 || status >= 500) return { kind: 'unclear', ...said }
  if (FAILED.has(code)) return { kind: 'failed', ...said }
  if (code === OUT_OF_MONEY) return { kind: 'error', ...said }
  return { kind: code === DUPLICATE ? 'duplicate' : 'unclear', ...said }
}

function saidOf(transaction: unknown): VendorWords {
  return {
    code: shortText(at(transaction, 'status')),
    description: shortText(at(transaction, 'message')),
    vendor_purchase_id: shortText(at(transaction, 'transactionId')),
    cost: amountOf(at(transaction, 'balanceInfo', 'cost')),
    vendor_balance: amountOf(at(transaction, 'balanceInfo', 'newBalance')),
  }
}
