import { decodeText, isSegmentTooLong, textOctets } from '../carriers/smpp/codec/decode-text.ts'
import { ESM, findTlv, TAG, type DataSm, type SubmitSm } from '../carriers/smpp/codec/pdu.ts'
import { STATUS } from '../carriers/smpp/codec/status.ts'
import { TEXT_ELEMENTS, type Concatenation } from '../carriers/smpp/codec/udh.ts'
import type { Alphabet } from '../smpp-accounts/schema.ts'
import { readTime } from './smpp-time.ts'

/** What a client wants sent. */
export type Submit = {
  /** Undefined: the default sender. */
  sender: string | undefined
  recipient: string
  text: string
  /** The segment it is, if it is one of several. */
  concatenation: Concatenation | null
  /** Which reports: 0 none, 1 all, 2 failures, 3 successes. */
  wants: number
  send_at_ms: number | undefined
  expires_at_ms: number | undefined
}

/** A status to answer instead. */
export type Refused = { command_status: number }

const MOST_PRIORITY = 3
const INTERNATIONAL = 1
/** Of registered_delivery. Intermediate notifications and acknowledgements of handsets are not given. */
const REPORTS = 0x03

/** Reads a submit, or says why it cannot be sent. */
export function readSubmit(pdu: SubmitSm | DataSm, alphabet: Alphabet, now_ms: number): Submit | Refused {
  const fault = faultOf(pdu)
  if (fault !== undefined) return { command_status: fault }
  const { text, concatenation, binary } = decodeText(pdu, alphabet)
  if (binary) return { command_status: STATUS.RINVDCS }
  if (text === '') return { command_status: STATUS.RINVMSGLEN }
  const is_segment = concatenation !== null && concatenation.total > 1
  if (is_segment && isSegmentTooLong(pdu)) return { command_status: STATUS.RINVMSGLEN }
  const times = 'schedule_delivery_time' in pdu ? readTimes(pdu, now_ms) : NO_TIMES
  if ('command_status' in times) return times
  return {
    sender: pdu.source_addr.replace(/^\+/, '') || undefined,
    recipient: recipientOf(pdu),
    text,
    concatenation: is_segment ? concatenation : null,
    wants: pdu.registered_delivery & REPORTS,
    ...times,
  }
}

const NO_TIMES = { send_at_ms: undefined, expires_at_ms: undefined }

function faultOf(pdu: SubmitSm | DataSm): number | undefined {
  if (pdu.destination_addr === '') return STATUS.RINVDSTADR
  if ((pdu.esm_class & ESM.kind) !== 0) return STATUS.RINVESMCLASS
  if (pdu.command === 'submit_sm') {
    if (pdu.replace_if_present_flag !== 0) return STATUS.RINVREPFLAG
    if (pdu.priority_flag > MOST_PRIORITY) return STATUS.RINVPRTFLG
    if (pdu.sm_default_msg_id !== 0) return STATUS.RINVDFTMSGID
    // Which of the two is meant?
    if (pdu.short_message.length > 0 && findTlv(pdu, TAG.message_payload)) return STATUS.ROPTPARNOTALLWD
  }
  if ((pdu.esm_class & ESM.udh) !== 0 && !isPlainHeader(textOctets(pdu))) return STATUS.RINVESMCLASS
  return undefined
}

function isPlainHeader(octets: Buffer): boolean {
  const end = 1 + (octets[0] ?? 0)
  if (end > octets.length) return false
  for (let at = 1; at < end; at += 2 + (octets[at + 1] ?? 0)) {
    if (!TEXT_ELEMENTS.includes(octets[at] ?? 0xff)) return false
  }
  return true
}

function recipientOf({ dest_addr_ton, destination_addr }: SubmitSm | DataSm): string {
  return dest_addr_ton === INTERNATIONAL && /^\d/.test(destination_addr) ? `+${destination_addr}` : destination_addr
}

function readTimes(pdu: SubmitSm, now_ms: number): Pick<Submit, 'send_at_ms' | 'expires_at_ms'> | Refused {
  const { schedule_delivery_time, validity_period } = pdu
  const send_at_ms = schedule_delivery_time === '' ? undefined : readTime(schedule_delivery_time, now_ms)
  if (schedule_delivery_time !== '' && send_at_ms === undefined) return { command_status: STATUS.RINVSCHED }
  const expires_at_ms = validity_period === '' ? undefined : readTime(validity_period, send_at_ms ?? now_ms)
  if (validity_period !== '' && (expires_at_ms === undefined || expires_at_ms <= (send_at_ms ?? now_ms))) {
    return { command_status: STATUS.RINVEXPIRY }
  }
  return { send_at_ms, expires_at_ms }
}
