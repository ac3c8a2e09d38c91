import type { PurchaseOutcome, RequeryOutcome } from '../carriers/topup-carrier.ts'
import { requeryDelay, type RequerySchedule } from './requery-schedule.ts'
import type { FinalStatus } from './schema.ts'
import type { OpenPurchase, Try, TryStatus } from './try-store.ts'

/** What follows from a vendor's answer; `as` is how the try is written down. */
export type Verdict =
  /** It is over. */
  | { kind: 'settle'; as: TryStatus; status: FinalStatus }
  /** Certainly not bought here: on to the next vendor. */
  | { kind: 'next_vendor'; as: TryStatus }
  /** Certainly not bought here, and worth another call under the same reference. */
  | { kind: 'call_again'; as: 'unreached'; delay_s: number }
  /** The vendor has it, or may have it: ask later. */
  | { kind: 'ask_later'; as: TryStatus; delay_s: number }
  /** The time to ask is over. */
  | { kind: 'review'; as: TryStatus }

export type JudgeRules = {
  schedule: RequerySchedule
  /** The vendor's. */
  timeout_s: number
  /** Whether this is the answer to a question; questions are counted, calls are not. */
  asked: boolean
}

/** Calls of one vendor for one purchase. More of the same will not help. */
const MAX_CALLS = 3
/** A vendor that still does not know a purchase this long after it was last called never got it. */
const NEVER_ARRIVED_S = 900
/** Clocks and commits are not exact: a call counts as over this long after its time-out. */
const GRACE_S = 1

/**
 * The rule of all rules: only an answer that is certain moves on. Everything else is asked about again, under the same
 * reference, and nothing is ever bought under a second one.
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
      // After a second call the vendor may mean our own first one.
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
  // What a vendor has accepted it cannot disown.
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
