import { describeCode } from '../delivery-codes.ts'

/** What an error code of Meta's means for the message and for the number that sends it. */
export type Verdict =
  /** Retry the message. */
  | { action: 'retry'; after_s: number; slow_down: boolean }
  /** Pause the number; the message itself is not at fault. `alert`: the operator has to act. */
  | { action: 'pause'; for_s: number; alert: boolean }
  /** Reject the message. `opted_out`: the recipient stopped marketing messages of the organisation. */
  | { action: 'fail'; opted_out?: true }

/** A stopped number is probed periodically: Meta does not report that the cause is gone. */
const STOPPED_S = 300
const SPAM_S = 600
const CALL_RATE_S = 60
const LONGEST_SLOW_S = 8
const PAIR_S = 6
const LONGEST_PAIR_S = 300

/**
 * Token, permissions, account, payment; a number that is deleted (33) or not registered, or whose display name is not
 * approved: nothing goes out until the operator acts.
 */
const STOP = new Set([0, 3, 10, 33, 190, 368, 131005, 131031, 131037, 131042, 131045, 133010, 133016])
/** Too many calls by the app or the business account. */
const CALL_RATE = new Set([4, 80007, 613])
const SPAM_RATE = 131048
const NUMBER_RATE = 130429
const PAIR_RATE = 131056
/** Meta migrates the business account, which takes some minutes. */
const MAINTENANCE = 131057
const MAINTENANCE_S = 15
const LONGEST_MAINTENANCE_S = 300
const STOPPED_MARKETING = 131050
/** An error at Meta or while fetching a file; nothing was sent. */
const TRANSIENT = new Set([1, 2, 131000, 131016, 131053, 133004])

/** `attempt` counts from 1. An error without a code is judged by the HTTP status alone. */
export function judgeError(code: number | undefined, http_status: number, attempt: number): Verdict {
  const grown = (first_s: number, longest_s: number): number => Math.min(longest_s, first_s * 2 ** (attempt - 1))
  if (code === NUMBER_RATE) return { action: 'retry', after_s: grown(1, LONGEST_SLOW_S), slow_down: true }
  if (code === PAIR_RATE) return { action: 'retry', after_s: grown(PAIR_S, LONGEST_PAIR_S), slow_down: false }
  if (code === MAINTENANCE) {
    return { action: 'retry', after_s: grown(MAINTENANCE_S, LONGEST_MAINTENANCE_S), slow_down: true }
  }
  if (code === STOPPED_MARKETING) return { action: 'fail', opted_out: true }
  if (code === SPAM_RATE) return { action: 'pause', for_s: SPAM_S, alert: true }
  if (code !== undefined && CALL_RATE.has(code)) return { action: 'pause', for_s: CALL_RATE_S, alert: false }
  if (code !== undefined && isStop(code)) return { action: 'pause', for_s: STOPPED_S, alert: true }
  if (code !== undefined && TRANSIENT.has(code)) return { action: 'retry', after_s: grown(1, 60), slow_down: false }
  if (http_status === 429) return { action: 'retry', after_s: grown(1, LONGEST_SLOW_S), slow_down: true }
  if (code === undefined && (http_status === 401 || http_status === 403)) {
    return { action: 'pause', for_s: STOPPED_S, alert: true }
  }
  return { action: 'fail' }
}

/** Whether a code means that nothing was sent even with HTTP 500. After most errors with that status it is unknown. */
export function saysNotSent(code: number | undefined): boolean {
  return code !== undefined && (isStop(code) || code === MAINTENANCE)
}

function isStop(code: number): boolean {
  return STOP.has(code) || (code >= 200 && code <= 299)
}

/** Our sentence for the code if there is one, otherwise Meta's. */
export function describeError(code: number | undefined, theirs: string | undefined): string {
  return (code === undefined ? undefined : describeCode('', String(code))) ?? theirs ?? 'refused without a reason'
}
