import { decodeText } from './decode-text.ts'
import { ESM, findTlv, TAG, type DataSm, type DeliverSm } from './pdu.ts'

/** A delivery receipt. */
export type Receipt = {
  /** As written here, which may differ from the submit_sm_resp. Null: the receipt has none. */
  message_id: string | null
  state: ReceiptState
  /** No further receipt follows. */
  final: boolean
  /** The carrier's word for the state, or the standard one (`DELIVRD`) for a message_state; empty without either. */
  stat: string
  /** network_error_code, or `err` of the text; null without either. */
  code: string | null
  /** Verbatim: `YYMMDDhhmm` with or without seconds. */
  submit_date: string | null
  done_date: string | null
}

export type ReceiptState = 'delivered' | 'undelivered' | 'expired' | 'rejected' | 'deleted' | 'unknown' | 'in_transit'

/** The receipt in a PDU, or null for a text from a handset. TLVs take precedence over the text. Never throws. */
export function readReceipt(pdu: DeliverSm | DataSm): Receipt | null {
  const kind = pdu.esm_class & ESM.kind
  const is_intermediate = kind === ESM.intermediate
  const receipted = readText(findTlv(pdu, TAG.receipted_message_id))
  const words = readWords(reportText(pdu))
  if (kind !== ESM.receipt && !is_intermediate && receipted === null && !looksLikeReport(words)) return null
  const stat = words.get('stat') ?? null
  const state = stateOf(findTlv(pdu, TAG.message_state), stat)
  // An intermediate notification reports an attempt and is final only if delivered.
  const is_open = is_intermediate && state.state !== 'delivered'
  return {
    message_id: receipted ?? words.get('id') ?? null,
    state: is_open ? 'in_transit' : state.state,
    final: !is_open && state.final,
    stat: state.word,
    code: codeOf(findTlv(pdu, TAG.network_error_code), words.get('err')),
    submit_date: words.get('submitdate') ?? null,
    done_date: words.get('donedate') ?? null,
  }
}

/** By message_state, with the standard word. The first and the last are of 5.0. */
const STATES: [word: string, state: ReceiptState][] = [
  ['SCHEDULED', 'in_transit'],
  ['ENROUTE', 'in_transit'],
  ['DELIVRD', 'delivered'],
  ['EXPIRED', 'expired'],
  ['DELETED', 'deleted'],
  ['UNDELIV', 'undelivered'],
  ['ACCEPTD', 'in_transit'],
  ['UNKNOWN', 'unknown'],
  ['REJECTD', 'rejected'],
  ['SKIPPED', 'undelivered'],
]

// Spellings differ in their endings (DELIVRD, DELIVERED; BUFFRED, BUFFERD), so prefixes decide, in this order.
const STATS: [string, ReceiptState][] = [
  ['DELIV', 'delivered'],
  ['UNDEL', 'undelivered'],
  ['FAIL', 'undelivered'],
  ['EXPIR', 'expired'],
  ['REJ', 'rejected'],
  ['DELET', 'deleted'],
  ['UNKNO', 'unknown'],
  ['ACCEP', 'in_transit'],
  ['ACK', 'in_transit'],
  ['ENROU', 'in_transit'],
  ['BUFF', 'in_transit'],
  ['SCHED', 'in_transit'],
  ['PEND', 'in_transit'],
  ['QUEU', 'in_transit'],
  ['SENT', 'in_transit'],
]

type Words = ReadonlyMap<string, string>

function reportText(pdu: DeliverSm | DataSm): string {
  const { text, binary } = decodeText(pdu, 'latin1')
  return binary ? Buffer.from(text, 'hex').toString('latin1') : text
}

/** Fields in any order and case. What follows `text:` quotes the message and may contain anything, even `stat:`. */
function readWords(text: string): Words {
  const words = new Map<string, string>()
  const quote = text.search(/\btext:/i)
  const before = quote < 0 ? text : text.slice(0, quote)
  const fields = /\bstat\s?[:=]/i.test(before) ? before : text
  for (const [, name, value] of fields.matchAll(
    // Some SMSCs include a terminating NUL in the text.
    /\b(id|stat|err|dlvrd|submit[ _]?date|done[ _]?date)\s?[:=] ?([^\s,;\p{Cc}]*)/giu,
  )) {
    const key = name!.toLowerCase().replace(/[ _]/, '')
    if (value !== '' && !words.has(key)) words.set(key, value!)
  }
  return words
}

/** Some SMSCs omit the flag in esm_class. */
function looksLikeReport(words: Words): boolean {
  const stat = words.get('stat')
  return (
    words.has('id') && stat !== undefined && (words.has('donedate') || words.has('dlvrd')) && wordState(stat) !== null
  )
}

function stateOf(tlv: Buffer | undefined, stat: string | null): { state: ReceiptState; final: boolean; word: string } {
  const by_word = stat === null ? null : wordState(stat)
  const own = stat !== null && !/^\d$/.test(stat) ? stat : ''
  // A number by the specification; some SMSCs send the ASCII digit.
  const octet = tlv?.[0] ?? 0xff
  const numbered = STATES[octet >= 0x30 && octet <= 0x39 ? octet - 0x30 : octet] ?? by_word
  if (numbered === null) return { state: 'unknown', final: false, word: own }
  const [word, state] = numbered
  return { state, final: state !== 'in_transit', word: own || word }
}

function wordState(stat: string): [word: string, state: ReceiptState] | null {
  if (/^\d$/.test(stat)) return STATES[Number(stat)]!
  const word = stat.toUpperCase()
  return STATS.find(([beginning]) => word.startsWith(beginning)) ?? null
}

/** network_error_code is a type and two octets; some SMSCs send three digits. Zero yields to `err` of the text. */
function codeOf(tlv: Buffer | undefined, err: string | undefined): string | null {
  const number = tlv?.length === 3 ? networkCode(tlv) : null
  if (number !== null && number !== '0') return number
  return err ?? number
}

function networkCode(tlv: Buffer): string {
  const digits = tlv.toString('latin1')
  return /^\d{3}$/.test(digits) ? String(Number(digits)) : String(tlv.readUInt16BE(1))
}

function readText(tlv: Buffer | undefined): string | null {
  const text = tlv?.toString('latin1').split('\0', 1)[0]?.trim()
  return text === undefined || text === '' ? null : text
}
