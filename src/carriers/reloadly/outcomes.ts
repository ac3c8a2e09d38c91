import type { PurchaseOutcome, RequeryOutcome, VendorWords } from '../topup-carrier.ts'
import { amountOf, at, words } from '../vendor-words.ts'

/** Refusals of Reloadly that are about its account of ours. */
const ERROR = new Set([
  'INSUFFICIENT_BALANCE',
  'ACCOUNT_DISABLED',
  'INVALID_TOKEN',
  'TOKEN_EXPIRED',
  'UNAUTHORIZED',
  'FORBIDDEN',
  'MAX_DAILY_TRANSACTION_AMOUNT_REACHED',
  'DAILY_TRANSACTION_LIMIT_REACHED',
])
const DUPLICATE = 'PHONE_RECENTLY_RECHARGED'
/** Refusals after which nobody can be sure: an inner fault, or our own reference met again. */
const UNCLEAR = new Set([
  'CUSTOM_IDENTIFIER_ALREADY_USED',
  'PROVIDER_INTERNAL_ERROR',
  'INTERNAL_SERVER_ERROR',
  'TRANSACTION_IN_PROGRESS',
])

/** What a transaction's status means; REFUNDED is a failure whose money came back. */
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

/** A 4xx with an error code Reloadly names is a refusal; without one, anything may have happened. */
export function refusalOutcome(status: number, json: unknown): PurchaseOutcome {
  const code = words(at(json, 'errorCode'))
  const said = { code: code ?? `HTTP ${status}`, description: words(at(json, 'message')) }
  if (code === undefined || status < 400 || status >= 500 || UNCLEAR.has(code)) return { kind: 'unclear', ...said }
  if (code === DUPLICATE) return { kind: 'duplicate', ...said }
  return { kind: ERROR.has(code) ? 'error' : 'failed', ...said }
}

function saidOf(transaction: unknown): VendorWords {
  return {
    code: words(at(transaction, 'status')),
    description: words(at(transaction, 'message')),
    vendor_purchase_id: words(at(transaction, 'transactionId')),
    cost: amountOf(at(transaction, 'balanceInfo', 'cost')),
    vendor_balance: amountOf(at(transaction, 'balanceInfo', 'newBalance')),
  }
}
