import { describeCode } from '../delivery-codes.ts'
import type { CarrierReport } from '../message-carrier.ts'

type Fate = Pick<CarrierReport, 'status' | 'code' | 'description'>

/** The behaviour of the simulated network for a number. */
export type Behaviour = {
  /** Refused at submission, never sent. */
  rejected?: { code: string; description: string }
  /** Refused this many times before it is accepted. */
  temporary_failures?: number
  /** The report; null: none. */
  fate: Fate | null
  reports: number
  /** Instead of the usual delay; `before_answer`: the report comes before the answer to the submission. */
  delay_ms?: number
  before_answer?: boolean
}

const DELIVERED: Fate = { status: 'delivered', ...described('delivered', '000') }
const ORDINARY: Behaviour = { fate: DELIVERED, reports: 1 }

/** Nigeria's 0800 numbers belong to no handset, so these simulate every outcome of a message. */
const SPECIAL: Record<string, Behaviour> = {
  '2348000000001': fated('undelivered', '004'),
  '2348000000002': fated('expired', '027'),
  '2348000000003': { ...ORDINARY, rejected: described('rejected', '00a') },
  '2348000000004': fated('undelivered', '008'),
  '2348000000005': { fate: null, reports: 0 },
  '2348000000006': { fate: DELIVERED, reports: 2 },
  '2348000000007': { ...ORDINARY, before_answer: true },
  '2348000000008': { ...ORDINARY, delay_ms: 10_000 },
  '2348000000009': { ...ORDINARY, temporary_failures: 2 },
}

export function behaviourOf(recipient: string): Behaviour {
  return SPECIAL[recipient] ?? ORDINARY
}

function fated(status: Fate['status'], code: string): Behaviour {
  return { fate: { status, ...described(status, code) }, reports: 1 }
}

function described(status: Fate['status'], code: string): { code: string; description: string } {
  return { code, description: describeCode(status, code) ?? status }
}
