import { decodeText, isReservedCoding, isSegmentTooLong, sarOctets, textOctets } from '../carriers/codec/decode-text.ts'
import {
  ESM,
  findTlv,
  MAX_DESTINATIONS,
  TAG,
  type DataSm,
  type Destination,
  type SubmitMulti,
  type SubmitSm,
} from '../carriers/codec/pdu.ts'
import { STATUS } from '../carriers/codec/status.ts'
import { concatenationOf, TEXT_ELEMENTS, type Concatenation } from '../carriers/codec/udh.ts'
import type { Alphabet } from '../smpp-accounts/schema.ts'
import { readTime } from './smpp-time.ts'

export type SubmitPdu = SubmitSm | DataSm | SubmitMulti

/** A submitted message without its destination. */
export type Content = {
  /** Undefined: the default sender. */
  sender: string | undefined
  text: string
  /** Its place in a long text, if it is a segment. */
  concatenation: Concatenation | null
  /** Reports requested: 0 none, 1 all, 2 failures, 3 successes. */
  wants: number
  /** Repeated in the report. */
  user_reference: number | null
  send_at_ms: number | undefined
  expires_at_ms: number | undefined
}

export type Submit = Content & { recipient: string }
export type MultiSubmit = Content & { destinations: readonly Destination[] }

/** The status of a refused submit. */
export type Refused = { command_status: number }

const MAX_PRIORITY = 3
const INTERNATIONAL = 1
/** Bits of registered_delivery. Intermediate notifications and acknowledgements by handsets are not supported. */
const REPORTS = 0x03

export function readSubmit(pdu: SubmitSm | DataSm, alphabet: Alphabet, now_ms: number): Submit | Refused {
  if (pdu.destination_addr === '') return { command_status: STATUS.RINVDSTADR }
  const content = readContent(pdu, alphabet, now_ms)
  return 'command_status' in content ? content : { ...content, recipient: recipientOf(pdu) }
}

export function readMulti(pdu: SubmitMulti, alphabet: Alphabet, now_ms: number): MultiSubmit | Refused {
  const { length } = pdu.dest_address
  if (length === 0 || length > MAX_DESTINATIONS) return { command_status: STATUS.RINVNUMDESTS }
  const content = readContent(pdu, alphabet, now_ms)
  if ('command_status' in content) return content
  // Segments are stored for one recipient; here a long text must be submitted whole.
  if (content.concatenation) return { command_status: STATUS.RINVESMCLASS }
  return { ...content, destinations: pdu.dest_address }
}

function readContent(pdu: SubmitPdu, alphabet: Alphabet, now_ms: number): Content | Refused {
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

/** The number, with a plus if its TON is international. */
export function recipientOf({
  dest_addr_ton,
  destination_addr,
}: Pick<SubmitSm, 'dest_addr_ton' | 'destination_addr'>): string {
  return dest_addr_ton === INTERNATIONAL && /^\d/.test(destination_addr) ? `+${destination_addr}` : destination_addr
}

const NO_TIMES = { send_at_ms: undefined, expires_at_ms: undefined }

function faultOf(pdu: SubmitPdu): number | undefined {
  if ((pdu.esm_class & ESM.kind) !== 0) return STATUS.RINVESMCLASS
  if (pdu.command !== 'data_sm') {
    if (pdu.replace_if_present_flag !== 0) return STATUS.RINVREPFLAG
    if (pdu.priority_flag > MAX_PRIORITY) return STATUS.RINVPRTFLG
    if (pdu.sm_default_msg_id !== 0) return STATUS.RINVDFTMSGID
    // Two texts are ambiguous.
    if (pdu.short_message.length > 0 && findTlv(pdu, TAG.message_payload)) return STATUS.ROPTPARNOTALLWD
  }
  if (isReservedCoding(pdu.data_coding)) return STATUS.RINVDCS
  if ((pdu.esm_class & ESM.udh) !== 0 && !isPlainHeader(textOctets(pdu))) return STATUS.RINVESMCLASS
  return sarFault(pdu)
}

/** A segment number outside its total is refused: otherwise it would be sent and charged as a separate text. */
function isPlainHeader(octets: Buffer): boolean {
  const end = 1 + (octets[0] ?? 0)
  if (end > octets.length) return false
  for (let at = 1; at < end;) {
    const length = TEXT_ELEMENTS.get(octets[at] ?? 0xff)
    if (length === undefined || octets[at + 1] !== length) return false
    at += 2 + length
    if (at > end) return false
    // An element of several octets ends with the total and the segment number.
    if (length > 1 && !concatenationOf(0, octets[at - 2] ?? 0, octets[at - 1] ?? 0)) return false
  }
  return true
}

/** The same for segments numbered by sar parameters. */
function sarFault(pdu: SubmitPdu): number | undefined {
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
