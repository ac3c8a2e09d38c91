import type { MessageClass } from '../observe/evidence.ts'
import type { Asked } from './choice.ts'
import type { Knowledge, View } from './knowledge.ts'

/** What is known of the carriers of a route for an operator, channel and class, by their position. */
export type Standing = {
  /** Messages that this process has sent; they count before the database has them. */
  sent: Float64Array
  known_sent: Float64Array
  judged: Float64Array
  /** Share of good results, and by some standard errors lower and higher. */
  share: Float64Array
  low: Float64Array
  high: Float64Array
  refreshed_ms: number
}

/** Results, after decay, below which a carrier is not compared with others. */
export const LEAST_RESULTS = 20
/** Standard errors by which a less expensive carrier must be worse than the tolerance allows before it is given up. */
const CERTAINTY = 1
/** How long shares are used before they are computed again. */
const REFRESH_MS = 1_000

type Of = Pick<Asked, 'country' | 'operator' | 'channel'> & { class: MessageClass }

export function makeStanding(carriers: number): Standing {
  const zeros = () => new Float64Array(carriers)
  return {
    sent: zeros(),
    known_sent: zeros(),
    judged: zeros(),
    share: zeros(),
    low: zeros(),
    high: zeros(),
    refreshed_ms: -Infinity,
  }
}

export function refresh(
  standing: Standing,
  { carriers, view, knowledge }: { carriers: readonly string[]; view: View; knowledge: Knowledge },
  { country, operator, channel, class: its_class }: Of,
  { now_ms, half_life_ms }: { now_ms: number; half_life_ms: number },
): void {
  const passed_ms = now_ms - standing.refreshed_ms
  if (passed_ms < REFRESH_MS) return
  const left = passed_ms === Infinity ? 1 : 0.5 ** (passed_ms / half_life_ms)
  standing.refreshed_ms = now_ms
  for (let n = 0; n < carriers.length; n++) {
    const name = carriers[n] ?? ''
    const cell = view.find(name, country, operator, channel, its_class)
    const judged = cell?.judged ?? 0
    // A correction may arrive when what it corrects has decayed.
    const plain = judged > 0 ? Math.min(1, Math.max(0, (cell?.good ?? 0) / judged)) : 0
    const share = its_class === 'otp' ? plain : plain * knowledge.honestyOf(name, country, operator)
    const error = judged > 0 ? CERTAINTY * Math.sqrt((share * (1 - share)) / judged) : 0
    standing.sent[n]! *= left
    standing.known_sent[n] = cell?.sent ?? 0
    standing.judged[n] = judged
    standing.share[n] = share
    standing.low[n] = share - error
    standing.high[n] = share + error
  }
}

export function isCompared({ judged }: Standing, n: number): boolean {
  return judged[n]! >= LEAST_RESULTS
}

export function sentOf({ sent, known_sent }: Standing, n: number): number {
  return Math.max(sent[n]!, known_sent[n]!)
}
