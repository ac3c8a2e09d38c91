import type { OperatorSettings } from '../scenario/schema.ts'
import { durationMs } from '../scenario/duration.ts'
import type { Carrier } from './carrier.ts'
import { outageAt, shareAt } from './timetable.ts'

/** What a message to a number that was not ported is expected to become, as shares of the submitted messages. */
export type Expectation = {
  accepted: number
  /** The phone shows it. */
  delivered: number
  /** A receipt says so. */
  reported: number
  /** In ten-thousandths of the currency unit. */
  cost: number
}

const NOTHING: Expectation = { accepted: 0, delivered: 0, reported: 0, cost: 0 }

export function expectationOf(
  carrier: Carrier,
  operators: readonly OperatorSettings[],
  operator: number,
  at_ms: number,
): Expectation {
  const towards = carrier.towards[operator]
  const kind = outageAt(carrier.outages, at_ms)?.kind
  if (!towards || kind === 'refused' || kind === 'silent' || kind === 'rejects') return NOTHING
  const accepted = 1 - towards.rejected.reduce((sum, { share }) => sum + share, 0)
  const faked = shareAt(towards.faked, at_ms)
  const carried = Math.max(0, 1 - faked - shareAt(towards.lost, at_ms) - shareAt(towards.undelivered, at_ms))
  const is_dropping = kind === 'drops'
  const delivered = is_dropping ? 0 : accepted * carried * reachOf(operators[operator], carrier.validity_ms)
  const reported = is_dropping ? 0 : accepted * faked + delivered * (1 - shareAt(towards.unreported, at_ms))
  const charged = carrier.is_charged_for_reports ? reported : accepted
  return { accepted, delivered, reported, cost: charged * towards.price }
}

/** The share of an operator's subscribers whose phone shows a text before it expires. */
function reachOf(operator: OperatorSettings | undefined, validity_ms: number): number {
  if (!operator) return 0
  const { absent, inbox_full, off, roaming } = operator.subscribers
  const too_long = off ? Math.max(0, durationMs(off.lasts) - validity_ms) / durationMs(off.every) : 0
  return 1 - absent - inbox_full - (off?.share ?? 0) * too_long - (roaming?.share ?? 0) * (roaming?.lost ?? 0)
}
