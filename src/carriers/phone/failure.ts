import { descriptionOf } from '../delivery-codes.ts'
import type { CarrierReport, SubmitOutcome } from '../message-carrier.ts'

/** Why a phone says that it did not send a message, or that it did not arrive. */
export type Failure = {
  /** The app's last state: `Failed` or `Cancelled`. */
  phone_state: string
  error: string | null
  /** The network has taken it, or a part of it: the app said `Sent` before. */
  was_sent: boolean
}

type Verdict = {
  code: string
  description: string
  /**
   * Whether it may be sent again. `never`: no carrier will take it. `here`: not by this SIM. `later`: the radio was not
   * reached, so it may. `open`: the radio failed, and the network may have it nevertheless, so it must not.
   */
  again: 'never' | 'here' | 'later' | 'open'
}

/** The outcome, if the message is not answered yet. */
export function outcomeOf(failure: Failure): SubmitOutcome {
  const { code, description, again } = judge(failure)
  if (failure.was_sent) return { kind: 'undelivered', code, description }
  if (again === 'later') return { kind: 'temporary', code, description }
  return { kind: 'rejected', code, description, ...(again === 'here' ? { elsewhere: true } : {}) }
}

/** The report, if the message was answered as accepted. */
export function reportOf(failure: Failure): Pick<CarrierReport, 'status' | 'code' | 'description'> {
  const { code, description } = judge(failure)
  return { status: failure.was_sent ? 'undelivered' : 'rejected', code, description }
}

/** Whether the cause is the SIM or its network, and not the message. */
export function isOfSim(failure: Failure): boolean {
  const { again } = judge(failure)
  return !failure.was_sent && failure.phone_state === 'Failed' && (again === 'later' || again === 'open')
}

/** Results of Android's SmsManager that precede any transmission. */
const BEFORE_THE_RADIO = new Set([
  'RESULT_ERROR_RADIO_OFF',
  'RESULT_ERROR_NO_SERVICE',
  'RESULT_ERROR_LIMIT_EXCEEDED',
  'RESULT_RADIO_NOT_AVAILABLE',
  'RESULT_NO_MEMORY',
  'RESULT_NO_RESOURCES',
  'RESULT_SMS_BLOCKED_DURING_EMERGENCY',
  'RESULT_NO_DEFAULT_SMS_APP',
  'RESULT_RIL_RADIO_NOT_AVAILABLE',
  'RESULT_RIL_REQUEST_RATE_LIMITED',
  'RESULT_RIL_SIM_ABSENT',
])
/** This phone or SIM must not send the message; another may. */
const NOT_FROM_HERE = new Set([
  'RESULT_ERROR_FDN_CHECK_FAILURE',
  'RESULT_ERROR_SHORT_CODE_NOT_ALLOWED',
  'RESULT_ERROR_SHORT_CODE_NEVER_ALLOWED',
  'RESULT_UNEXPECTED_EVENT_STOP_SENDING',
  'RESULT_OPERATION_NOT_ALLOWED',
  'RESULT_REQUEST_NOT_SUPPORTED',
  'RESULT_INVALID_SMSC_ADDRESS',
])
const NEVER = new Set([
  'RESULT_ERROR_NULL_PDU',
  'RESULT_INVALID_ARGUMENTS',
  'RESULT_INVALID_SMS_FORMAT',
  'RESULT_ENCODING_ERROR',
])

const RESULT = /\b(RESULT_[A-Z_]{3,60})\b/
const DELIVERY = /^Delivery result\b.*?(\d{1,5})?$/s

function judge({ phone_state, error, was_sent }: Failure): Verdict {
  const said = error ?? ''
  if (phone_state === 'Cancelled') return { code: 'canceled', description: descriptionOf('canceled'), again: 'here' }
  const delivery = DELIVERY.exec(said)
  if (delivery) return { code: `status ${delivery[1] ?? '?'}`, description: said, again: 'open' }
  if (said === 'TTL expired') {
    return { code: 'expired', description: descriptionOf('expired'), again: 'later' }
  }
  const result = RESULT.exec(said)?.[1]
  if (result !== undefined) return { code: shortened(result), description: said, again: afterResult(result) }
  // The app failed before it called Android, or Android refused the call: no SIM, no permission, no number.
  const again = /SIM|permission|SmsManager|subscription/i.test(said) ? 'here' : 'never'
  return {
    code: 'app',
    description: said === '' ? 'the phone did not say why' : said,
    again: was_sent ? 'open' : again,
  }
}

function afterResult(result: string): Verdict['again'] {
  if (BEFORE_THE_RADIO.has(result)) return 'later'
  if (NOT_FROM_HERE.has(result)) return 'here'
  return NEVER.has(result) ? 'never' : 'open'
}

function shortened(result: string): string {
  return result
    .replace(/^RESULT_(ERROR_)?/, '')
    .toLowerCase()
    .slice(0, 40)
}
