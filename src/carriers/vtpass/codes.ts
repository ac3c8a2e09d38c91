import type { PurchaseOutcome, RequeryOutcome, VendorWords } from '../topup-carrier.ts'
import { amountOf, at, words } from '../vendor-words.ts'

/** Codes that mean: refused, nothing was bought. They speak of the purchase only when they answer one. */
const FAILED = new Set(['010', '011', '012', '013', '016', '017', '030', '034', '035', '040', '085', '091'])
/** Refused because of our account: its money, its credentials, its rights. */
const ERROR = new Set(['018', '021', '022', '023', '024', '027', '087'])
const DUPLICATE = '019'
/** Answers that carry a transaction, whose own status tells more. */
const LOOK_INSIDE = new Set(['000', '001', '044'])
const PROCESSING = new Set(['089', '099'])
/** The final failures of a transaction, as opposed to those of a call. */
const FAILED_SINCE = new Set(['016', '040', '091'])
const NOT_FOUND = '015'

/**
 * VTpass says itself: whatever is not in its list is to be taken as pending and asked about. 014 is among that: our
 * references are ours alone, so "request id exists" means that this very purchase got there before.
 */
export function purchaseOutcome(json: unknown): PurchaseOutcome {
  const code = words(at(json, 'code')) ?? ''
  const said = saidOf(json)
  if (LOOK_INSIDE.has(code)) return { kind: insideOf(json), ...said }
  if (PROCESSING.has(code)) return { kind: 'accepted', ...said }
  if (FAILED.has(code)) return { kind: 'failed', ...said }
  if (ERROR.has(code)) return { kind: 'error', ...said }
  if (code === DUPLICATE) return { kind: 'duplicate', ...said }
  return { kind: 'unclear', ...said }
}

/** A refusal of the question, such as wrong credentials, says nothing about the purchase. */
export function requeryOutcome(json: unknown): RequeryOutcome {
  const code = words(at(json, 'code')) ?? ''
  const said = saidOf(json)
  if (LOOK_INSIDE.has(code)) return { kind: insideOf(json), ...said }
  if (PROCESSING.has(code)) return { kind: 'accepted', ...said }
  if (FAILED_SINCE.has(code)) return { kind: 'failed', ...said }
  if (code === NOT_FOUND) return { kind: 'not_found', ...said }
  return { kind: 'unclear', ...said }
}

function insideOf(json: unknown): 'success' | 'failed' | 'accepted' | 'unclear' {
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
    code: words(at(json, 'code')),
    description: words(at(json, 'response_description')),
    vendor_purchase_id: words(at(transaction, 'transactionId')),
    cost: amountOf(at(transaction, 'total_amount')),
  }
}
