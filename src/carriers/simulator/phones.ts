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

const DELIVERED: Fate = { status: 'delivered', code: '000', description: 'delivered' }
const ORDINARY: Behaviour = { fate: DELIVERED, reports: 1 }

/** Nigeria's 0800 numbers belong to no handset, so these simulate every outcome of a message. */
const SPECIAL: Record<string, Behaviour> = {
  '2348000000001': fated('undelivered', '004', 'invalid or inactive number'),
  '2348000000002': fated('expired', '027', 'absent subscriber'),
  '2348000000003': {
    ...ORDINARY,
    rejected: { code: '00a', description: 'sender ID restricted by operator' },
  },
  '2348000000004': fated('undelivered', '008', 'subscriber on DND'),
  '2348000000005': { fate: null, reports: 0 },
  '2348000000006': { fate: DELIVERED, reports: 2 },
  '2348000000007': { ...ORDINARY, before_answer: true },
  '2348000000008': { ...ORDINARY, delay_ms: 10_000 },
  '2348000000009': { ...ORDINARY, temporary_failures: 2 },
}

export function behaviourOf(recipient: string): Behaviour {
  return SPECIAL[recipient] ?? ORDINARY
}

function fated(status: Fate['status'], code: string, description: string): Behaviour {
  return { fate: { status, code, description }, reports: 1 }
}
