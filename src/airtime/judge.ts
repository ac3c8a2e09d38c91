import type { PurchaseOutcome, RequeryOutcome } from '../carriers/topup-carrier.ts'
import type { FinalStatus } from './schema.ts'
import type { OpenPurchase, Try, TryStatus } from './try-store.ts'

/** What follows from a vendor's answer; `as` is the stored status of the try. */
export type Verdict =
  /** The purchase has ended. */
  | { kind: 'settle'; as: TryStatus; status: FinalStatus }
  /** Certainly not bought here: call the next vendor. */
  | { kind: 'next_vendor'; as: TryStatus }
  /** Certainly not bought here: call the vendor again, with the same reference. */
  | { kind: 'call_again'; as: 'unreached'; delay_s: number }
  /** The vendor has it, or may have it: query it later. */
  | { kind: 'ask_later'; as: TryStatus; delay_s: number }
  /** The time to query is over: the operator decides. */
  | { kind: 'review'; as: TryStatus }

export type JudgeRules = {
  schedule: RequerySchedule
  /** The vendor's. */
  timeout_s: number
  /** Whether this answers a query; queries are counted, calls are not. */
  asked: boolean
}

/** Calls of one vendor for one purchase. */
const MAX_CALLS = 3
/** A vendor that does not know a purchase this long after the last call never received it. */
const NEVER_ARRIVED_S = 900
/** Tolerance for clocks and commits: a call counts as over this long after its timeout. */
const GRACE_S = 1

/**
 * Only a definite answer ends a try. After any other one the vendor is queried with the same reference, and the purchase
 * is never bought under a second reference at the same vendor.
 */
export function judge(
  purchase: Pick<OpenPurchase, 'status' | 'vendors'>,
  tried: Try,
  outcome: PurchaseOutcome | RequeryOutcome,
  rules: JudgeRules,
): Verdict {
  switch (outcome.kind) {
    case 'success':
      return { kind: 'settle', as: 'success', status: 'success' }
    case 'failed':
    case 'error':
      return refused(purchase, tried, outcome.kind)
    case 'duplicate':
      // After a second call the duplicate may be our own first call.
      if (tried.calls > 1) return askLater(tried, 'unclear', rules)
      return { kind: 'settle', as: 'duplicate', status: purchase.status === 'sent' ? 'failed' : 'duplicate' }
    case 'unreached':
      if (isLast(purchase, tried) && tried.calls < MAX_CALLS) {
        const delay_s = rules.schedule.delays_s[tried.calls - 1] ?? 0
        return { kind: 'call_again', as: 'unreached', delay_s }
      }
      return refused(purchase, tried, 'error')
    case 'accepted':
    case 'unclear':
      return askLater(tried, outcome.kind, rules, outcome.retry_after_s)
    case 'not_found':
      return notFound(purchase, tried, rules)
  }
}

function refused(purchase: Pick<OpenPurchase, 'status' | 'vendors'>, tried: Try, as: 'failed' | 'error'): Verdict {
  if (!isLast(purchase, tried)) return { kind: 'next_vendor', as }
  return { kind: 'settle', as, status: purchase.status === 'sent' ? 'failed' : as }
}

function notFound(purchase: Pick<OpenPurchase, 'status' | 'vendors'>, tried: Try, rules: JudgeRules): Verdict {
  // A vendor that has accepted a purchase knows it.
  if (tried.status === 'accepted') return askLater(tried, 'accepted', rules)
  const over_in_s = rules.timeout_s + GRACE_S - tried.call_age_s
  if (over_in_s > 0) return { kind: 'ask_later', as: tried.status, delay_s: over_in_s }
  if (tried.calls < MAX_CALLS) return { kind: 'call_again', as: 'unreached', delay_s: 0 }
  return tried.call_age_s > NEVER_ARRIVED_S ? refused(purchase, tried, 'failed') : askLater(tried, 'unclear', rules)
}

function askLater(tried: Try, kind: 'accepted' | 'unclear', { schedule, asked }: JudgeRules, wish_s?: number): Verdict {
  const as = tried.status === 'accepted' ? 'accepted' : kind
  const delay_s = requeryDelay(schedule, tried.requeries + (asked ? 1 : 0), tried.age_s, wish_s)
  return delay_s === undefined ? { kind: 'review', as } : { kind: 'ask_later', as, delay_s }
}

function isLast({ vendors }: Pick<OpenPurchase, 'vendors'>, { position }: Try): boolean {
  return position >= vendors.length - 1
}

/** When to query a vendor, and when to stop. */
export type RequerySchedule = {
  /** Delays before the first, second, … query; the last of them repeats. */
  delays_s: readonly number[]
  /** The last query follows this long after the first call; then the operator decides. */
  review_after_s: number
}

/**
 * Seconds until the next query; undefined if no more follows. `asked` counts the queries so far, `age_s` is the time since
 * the vendor was first called. A delay that the vendor asks for takes precedence.
 */
export function requeryDelay(
  { delays_s, review_after_s }: RequerySchedule,
  asked: number,
  age_s: number,
  wish_s?: number,
): number | undefined {
  const left_s = review_after_s - age_s
  if (left_s <= 0) return undefined
  const delay_s = wish_s ?? delays_s[Math.min(asked, delays_s.length - 1)] ?? review_after_s
  return Math.min(delay_s, left_s)
}
