import {
  decodeText,
  isReservedCoding,
  isSegmentTooLong,
  sarOctets,
  textOctets,
} from '../carriers/smpp/codec/decode-text.ts'
import { ESM, findTlv, TAG, type DataSm, type SubmitMulti, type SubmitSm } from '../carriers/smpp/codec/pdu.ts'
import { STATUS } from '../carriers/smpp/codec/status.ts'
import { concatenationOf, TEXT_ELEMENTS, type Concatenation } from '../carriers/smpp/codec/udh.ts'
import type { Alphabet } from '../smpp-accounts/schema.ts'
import { readTime } from './smpp-time.ts'

/** What a client wants sent, and when. */
export type Content = {
  /** Undefined: the default sender. */
  sender: string | undefined
  text: string
  /** The segment it is, if it is one of several. */
  concatenation: Concatenation | null
  /** Which reports: 0 none, 1 all, 2 failures, 3 successes. */
  wants: number
  /** To be repeated in the report. */
  user_reference: number | null
  send_at_ms: number | undefined
  expires_at_ms: number | undefined
}

export type Submit = Content & { recipient: string }

/** A status to answer instead. */
export type Refused = { command_status: number }

const MOST_PRIORITY = 3
const INTERNATIONAL = 1
/** Of registered_delivery. Intermediate notifications and acknowledgements of handsets are not given. */
const REPORTS = 0x03

/** Reads a submit, or says why it cannot be sent. */
export function readSubmit(pdu: SubmitSm | DataSm, alphabet: Alphabet, now_ms: number): Submit | Refused {
  if (pdu.destination_addr === '') return { command_status: STATUS.RINVDSTADR }
  const content = readContent(pdu, alphabet, now_ms)
  return 'command_status' in content ? content : { ...content, recipient: recipientOf(pdu) }
}

/** Reads all of a submit but where it goes. */
export function readContent(
  pdu: SubmitSm | SubmitMulti | DataSm,
  alphabet: Alphabet,
  now_ms: number,
): Content | Refused {
  const fault = faultOf(pdu)
  if (fault !== undefined) return { command_status: fault }
  const { text, concatenation, binary } = decodeText(pdu, alphabet)
  if (binary) return { command_status: STATUS.RINVDCS }
  if (text === '') return { command_status: STATUS.RINVMSGLEN }
  const is_segment = concatenation !== null && concatenation.total > 1
  if (is_segment && isSegmentTooLong(pdu)) return { command_status: STATUS.RINVMSGLEN }
  const times = 'schedule_delivery_time' in pdu ? readTimes(pdu, now_ms) : NO_TIMES
  if ('command_status' in times) return times
  const reference = findTlv(pdu, TAG.user_message_reference)
  return {
    sender: pdu.source_addr.replace(/^\+/, '') || undefined,
    text,
    concatenation: is_segment ? concatenation : null,
    wants: pdu.registered_delivery & REPORTS,
    user_reference: reference?.length === 2 ? reference.readUInt16BE(0) : null,
    ...times,
  }
}

/** A number as it is read everywhere else: with a plus where its type says that it is international. */
export function recipientOf({
  dest_addr_ton,
  destination_addr,
}: Pick<SubmitSm, 'dest_addr_ton' | 'destination_addr'>): string {
  return dest_addr_ton === INTERNATIONAL && /^\d/.test(destination_addr) ? `+${destination_addr}` : destination_addr
}

const NO_TIMES = { send_at_ms: undefined, expires_at_ms: undefined }

function faultOf(pdu: SubmitSm | SubmitMulti | DataSm): number | undefined {
  if ((pdu.esm_class & ESM.kind) !== 0) return STATUS.RINVESMCLASS
  if (pdu.command !== 'data_sm') {
    if (pdu.replace_if_present_flag !== 0) return STATUS.RINVREPFLAG
    if (pdu.priority_flag > MOST_PRIORITY) return STATUS.RINVPRTFLG
    if (pdu.sm_default_msg_id !== 0) return STATUS.RINVDFTMSGID
    // Which of the two is meant?
    if (pdu.short_message.length > 0 && findTlv(pdu, TAG.message_payload)) return STATUS.ROPTPARNOTALLWD
  }
  if (isReservedCoding(pdu.data_coding)) return STATUS.RINVDCS
  if ((pdu.esm_class & ESM.udh) !== 0 && !isPlainHeader(textOctets(pdu))) return STATUS.RINVESMCLASS
  return sarFault(pdu)
}

/** A segment outside its total is refused: it would be sent, and charged, as a text of its own. */
function isPlainHeader(octets: Buffer): boolean {
  const end = 1 + (octets[0] ?? 0)
  if (end > octets.length) return false
  for (let at = 1; at < end;) {
    const length = TEXT_ELEMENTS.get(octets[at] ?? 0xff)
    if (length === undefined || octets[at + 1] !== length) return false
    at += 2 + length
    if (at > end) return false
    // Where there is a number of segments, it and the number of this one come last.
    if (length > 1 && !concatenationOf(0, octets[at - 2] ?? 0, octets[at - 1] ?? 0)) return false
  }
  return true
}

/** The same for segments that are numbered by parameters. */
function sarFault(pdu: SubmitSm | SubmitMulti | DataSm): number | undefined {
  const { reference, total, segment } = sarOctets(pdu)
  if (!reference || !total || !segment) return undefined
  if (reference.length !== 2 || total.length !== 1 || segment.length !== 1) return STATUS.RINVPARLEN
  return concatenationOf(0, total[0] ?? 0, segment[0] ?? 0) ? undefined : STATUS.RINVOPTPARAMVAL
}

function readTimes(
  pdu: Pick<SubmitSm, 'schedule_delivery_time' | 'validity_period'>,
  now_ms: number,
): Pick<Content, 'send_at_ms' | 'expires_at_ms'> | Refused {
  const { schedule_delivery_time, validity_period } = pdu
  const send_at_ms = schedule_delivery_time === '' ? undefined : readTime(schedule_delivery_time, now_ms)
  if (schedule_delivery_time !== '' && send_at_ms === undefined) return { command_status: STATUS.RINVSCHED }
  const expires_at_ms = validity_period === '' ? undefined : readTime(validity_period, send_at_ms ?? now_ms)
  if (validity_period !== '' && (expires_at_ms === undefined || expires_at_ms <= (send_at_ms ?? now_ms))) {
    return { command_status: STATUS.RINVEXPIRY }
  }
  return { send_at_ms, expires_at_ms }
}
