import type { PurchaseOutcome, RequeryOutcome, VendorWords } from '../topup-carrier.ts'
import { amountOf, at, shortText } from '../vendor-values.ts'

/** Refused, nothing was bought. They concern the purchase only in the answer to a purchase. */
const FAILED = new Set(['010', '011', '012', '013', '016', '017', '030', '034', '035', '040', '085', '091'])
/** Refused because of our account: balance, credentials, permissions. */
const ERROR = new Set(['018', '021', '022', '023', '024', '027', '087'])
const DUPLICATE = '019'
/** Answers that contain a transaction, whose status decides. */
const HAS_TRANSACTION = new Set(['000', '001', '044'])
const PROCESSING = new Set(['089', '099'])
/** Final failures of a transaction, not of the query. */
const FAILED_SINCE = new Set(['016', '040', '091'])
const NOT_FOUND = '015'

/**
 * VTpass documents that any other code means pending, to be queried. That includes 014: our references are unique, so
 * "request id exists" means that this purchase has arrived before.
 */
export function purchaseOutcome(json: unknown): PurchaseOutcome {
  const code = shortText(at(json, 'code')) ?? ''
  const said = saidOf(json)
  if (HAS_TRANSACTION.has(code)) return { kind: transactionOutcome(json), ...said }
  if (PROCESSING.has(code)) return { kind: 'accepted', ...said }
  if (FAILED.has(code)) return { kind: 'failed', ...said }
  if (ERROR.has(code)) return { kind: 'error', ...said }
  if (code === DUPLICATE) return { kind: 'duplicate', ...said }
  return { kind: 'unclear', ...said }
}

/** A refusal of the query, such as wrong credentials, says nothing about the purchase. */
export function requeryOutcome(json: unknown): RequeryOutcome {
  const code = shortText(at(json, 'code')) ?? ''
  const said = saidOf(json)
  if (HAS_TRANSACTION.has(code)) return { kind: transactionOutcome(json), ...said }
  if (PROCESSING.has(code)) return { kind: 'accepted', ...said }
  if (FAILED_SINCE.has(code)) return { kind: 'failed', ...said }
  if (code === NOT_FOUND) return { kind: 'not_found', ...said }
  return { kind: 'unclear', ...said }
}

function transactionOutcome(json: unknown): 'success' | 'failed' | 'accepted' | 'unclear' {
  switch (at(json, 'content', 'transactions', 'status')) {
    case 'delivered':
      return 'success'
    case 'failed':
    case 'reversed':
      return 'failed'
    case 'initiated':
    case 'pending':
      return 'accepted'
    default:
      return 'unclear'
  }
}

function saidOf(json: unknown): VendorWords {
  const transaction = at(json, 'content', 'transactions')
  return {
    code: shortText(at(json, 'code')),
    description: shortText(at(json, 'response_description')),
    vendor_purchase_id: shortText(at(transaction, 'transactionId')),
    cost: amountOf(at(transaction, 'total_amount')),
  }
}
