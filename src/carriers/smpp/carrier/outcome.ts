import type { SubmitOutcome } from '../../message-carrier.ts'
import type { Profile } from '../schema.ts'
import { describeCode } from '../../delivery-codes.ts'
import { STATUS, statusName, type StatusName } from '../../codec/status.ts'

/** The outcome of a message whose submit was not answered with ROK. */
export type Refused = Extract<SubmitOutcome, { kind: 'rejected' | 'temporary' }>

type Verdict = { kind: 'rejected' | 'temporary' | 'elsewhere'; description?: string; retry_after_s?: number }

const FIRST_QUEUE_FULL_S = 30
const LONGEST_QUEUE_FULL_S = 180

/** Looks up the carrier's own table first, then the specification; an unknown vendor status is a permanent rejection. */
export function refusalOf(status: number, attempt: number, errors: Profile['errors'] = {}): Refused {
  const code = statusName(status)
  const own = errors[code] ?? errors[hex(status)] ?? errors[String(status)]
  const known = VERDICTS[code]
  const { kind, description }: Verdict = own ?? known ?? { kind: 'rejected' }
  const sentence = description || describeCode('', code) || 'refused by the carrier'
  if (kind === 'elsewhere') return { kind: 'rejected', code, description: sentence, elsewhere: true }
  if (kind === 'rejected') return { kind: 'rejected', code, description: sentence }
  if (status === STATUS.RMSGQFUL) {
    const retry_after_s = Math.min(LONGEST_QUEUE_FULL_S, FIRST_QUEUE_FULL_S * attempt)
    return { kind: 'temporary', code, description: sentence, retry_after_s }
  }
  const retry_after_s = known?.retry_after_s
  return { kind: 'temporary', code, description: sentence, ...(retry_after_s === undefined ? {} : { retry_after_s }) }
}

/** The carrier rejects the format of our PDUs: its profile is wrong, which only the operator can fix. */
export function isProfileFault(status: number): boolean {
  return PROFILE_FAULTS.has(status)
}

/** The carrier rejects the validity period, not the message. */
export function isTimeFault(status: number): boolean {
  return status === STATUS.RINVSCHED || status === STATUS.RINVEXPIRY
}

const hex = (status: number): string => `0x${status.toString(16)}`

/** Every status that is not here is a permanent rejection. */
const VERDICTS: Record<string, Verdict> = {
  RTHROTTLED: { kind: 'temporary', retry_after_s: 10 },
  RMSGQFUL: { kind: 'temporary' },
  RSYSERR: { kind: 'temporary' },
  RX_T_APPN: { kind: 'temporary' },
  RINVBNDSTS: { kind: 'temporary', retry_after_s: 1 },
  RSUBMITFAIL: { kind: 'elsewhere' },
  RX_P_APPN: { kind: 'elsewhere' },
  RX_R_APPN: { kind: 'elsewhere' },
} satisfies Partial<Record<StatusName, Verdict>>

const PROFILE_FAULTS: ReadonlySet<number> = new Set([
  STATUS.RINVMSGLEN,
  STATUS.RINVESMCLASS,
  STATUS.RINVDCS,
  STATUS.RINVSERTYP,
  STATUS.RINVOPTPARSTREAM,
  STATUS.ROPTPARNOTALLWD,
  STATUS.RINVPARLEN,
  STATUS.RMISSINGOPTPARAM,
  STATUS.RINVOPTPARAMVAL,
])
