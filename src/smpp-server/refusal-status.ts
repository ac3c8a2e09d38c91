import { STATUS } from '../carriers/codec/status.ts'
import { isDatabaseUnreachable } from '../db/unreachable.ts'
import { Refusal, type Fault, type RefusalCode } from '../values/refusal.ts'

/** The recipient has opted out. Over HTTP such a recipient is rejected after the message was accepted. */
export class OptedOut extends Refusal {
  override readonly name = 'OptedOut'

  constructor() {
    super('forbidden', 'The recipient has opted out.')
  }
}

/** Vendor-specific statuses (from 0x400 up), for refusals without a status in SMPP. */
export const OWN_STATUS = { insufficient_balance: 0x400, opted_out: 0x401 } as const

const BY_REFUSAL: Record<RefusalCode, number> = {
  invalid_request: STATUS.RSUBMITFAIL,
  unauthenticated: STATUS.RINVBNDSTS,
  insufficient_balance: OWN_STATUS.insufficient_balance,
  spending_limit: OWN_STATUS.insufficient_balance,
  forbidden: STATUS.RSUBMITFAIL,
  not_found: STATUS.RINVMSGID,
  method_not_allowed: STATUS.RINVCMDID,
  conflict: STATUS.RSUBMITFAIL,
  // The same segment is being sent already.
  idempotency_conflict: STATUS.RX_T_APPN,
  body_too_large: STATUS.RINVMSGLEN,
  unsupported_media_type: STATUS.RINVDCS,
  too_many_requests: STATUS.RTHROTTLED,
  unavailable: STATUS.RMSGQFUL,
}

/** The status that answers a fault; `ours`: an internal error, to be logged. */
export function statusOfFault(fault: unknown): { command_status: number; ours: boolean } {
  if (fault instanceof OptedOut) return { command_status: OWN_STATUS.opted_out, ours: false }
  if (fault instanceof Refusal) {
    const [first] = fault.faults
    return { command_status: (first && statusOfField(first)) ?? BY_REFUSAL[fault.code], ours: false }
  }
  return { command_status: isDatabaseUnreachable(fault) ? STATUS.RSYSERR : STATUS.RX_T_APPN, ours: true }
}

function statusOfField({ field }: Fault): number | undefined {
  if (field.startsWith('recipients')) return STATUS.RINVDSTADR
  if (field === 'sender_id') return STATUS.RINVSRCADR
  if (field === 'content') return STATUS.RINVMSGLEN
  return field === 'send_at' ? STATUS.RINVSCHED : undefined
}
