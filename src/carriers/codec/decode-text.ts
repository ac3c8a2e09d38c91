import { decodeGsm, unpackSeptets } from './gsm7.ts'
import { nationalTables } from './gsm7-national.ts'
import { openEscape } from './join-segments.ts'
import type { TextProfile } from './page-form.ts'
import { ESM, findTlv, TAG, type DataSm, type DeliverSm, type SubmitMulti, type SubmitSm } from './pdu.ts'
import { concatenationOf, fillBits, readUdh, type Concatenation, type UserDataHeader } from './udh.ts'

/** A PDU with a text in it. */
export type TextPdu = SubmitSm | SubmitMulti | DeliverSm | DataSm

export type InboundText = {
  /** A segment may end with a placeholder for half a character, which `joinSegments` resolves. */
  text: string
  /** The segment it is, if it is one. */
  concatenation: Concatenation | null
  /** 8-bit data; `text` is then its hex. */
  binary: boolean
}

/** The text of a PDU: any coding, with or without a header, in short_message or message_payload. Never throws. */
export function decodeText(pdu: TextPdu, alphabet: TextProfile['alphabet']): InboundText {
  const octets = textOctets(pdu)
  const header = (pdu.esm_class & ESM.udh) === 0 ? NO_HEADER : readUdh(octets)
  const coding = codingOf(pdu.data_coding, alphabet)
  const concatenation = header.concatenation ?? sarOf(pdu)
  const is_continued = concatenation !== null && concatenation.segment < concatenation.total
  return {
    text: decodeOctets(octets.subarray(header.octets), coding, header, is_continued),
    concatenation,
    binary: coding === 'binary',
  }
}

/** The capacity of a short_message with its header. Networks carry 140 octets; a longer payload cannot be a segment. */
const MAX_SEGMENT_OCTETS = 255

export function isSegmentTooLong(pdu: TextPdu): boolean {
  return textOctets(pdu).length > MAX_SEGMENT_OCTETS
}

/** The text from short_message or message_payload. */
export function textOctets(pdu: TextPdu): Buffer {
  if ('short_message' in pdu && pdu.short_message.length > 0) return pdu.short_message
  return findTlv(pdu, TAG.message_payload) ?? NOTHING
}

const NOTHING = Buffer.alloc(0)
const NO_HEADER: UserDataHeader = { octets: 0, concatenation: null, locking: null, single: null }

type Coding = TextProfile['alphabet'] | 'ia5' | 'ucs2' | 'binary' | 'iso-8859-5' | 'iso-8859-8' | 'shift_jis' | 'euc-kr'

// SMPP 3.4, 5.2.19, below 0x10; values not listed mean the carrier's default alphabet.
const SMPP_CODINGS: Record<number, Coding> = {
  1: 'ia5',
  2: 'binary',
  3: 'latin1',
  4: 'binary',
  5: 'shift_jis',
  6: 'iso-8859-5',
  7: 'iso-8859-8',
  8: 'ucs2',
  9: 'binary',
  14: 'euc-kr',
}

/** From 0x10 up it is the GSM data coding scheme (3GPP TS 23.038, 4) with message classes and waiting indications. */
function codingOf(data_coding: number, alphabet: TextProfile['alphabet']): Coding {
  if (data_coding < 0x10) return SMPP_CODINGS[data_coding] ?? alphabet
  const group = data_coding >> 4
  if (group === 0xf) return (data_coding & 0x04) === 0 ? alphabet : 'binary'
  if (group === 0xe) return 'ucs2'
  if (group >= 0x8) return alphabet
  const width = (data_coding >> 2) & 3
  if (width === 1) return 'binary'
  return width === 2 ? 'ucs2' : alphabet
}

/**
 * Whether the value is reserved by SMPP 3.4 (5.2.19) or 3GPP TS 23.038 (4), compressed, or unsupported. A carrier's
 * delivery with such a value is read in its default alphabet.
 */
export function isReservedCoding(data_coding: number): boolean {
  if (data_coding < 0x10) return data_coding !== 0 && SMPP_CODINGS[data_coding] === undefined
  const group = data_coding >> 4
  if (group < 0x8) return (data_coding & 0x20) !== 0 || (data_coding & 0x0c) === 0x0c
  if (group < 0xc) return true
  return (data_coding & (group === 0xf ? 0x08 : 0x04)) !== 0
}

function decodeOctets(octets: Buffer, coding: Coding, header: UserDataHeader, is_continued: boolean): string {
  const asGsm = (septets: Buffer): string =>
    decodeGsm(septets, nationalTables(header), is_continued ? openEscape(header) : '')
  switch (coding) {
    case 'gsm7':
      // An octet above 0x7f: this SMSC says GSM and sends Latin-1.
      if (octets.some((octet) => octet > 0x7f)) return octets.toString('latin1')
      return asGsm(octets)
    case 'gsm7-packed':
      return asGsm(unpackSeptets(octets, fillBits(header.octets)))
    case 'ia5':
      // Some libraries say ASCII and send GSM: a control character is the sign.
      if (octets.some((octet) => octet < 0x20 && octet !== 0x09 && octet !== 0x0a && octet !== 0x0d)) {
        return asGsm(octets)
      }
      return octets.toString('latin1')
    case 'ascii':
    case 'latin1':
      return octets.toString('latin1')
    case 'ucs2':
      return decodeUcs2(octets)
    case 'binary':
      return octets.toString('hex')
    case 'iso-8859-5':
    case 'iso-8859-8':
    case 'shift_jis':
    case 'euc-kr':
      return new TextDecoder(coding).decode(octets)
  }
}

/** An odd last octet is half a character and dropped. */
function decodeUcs2(octets: Buffer): string {
  return Buffer.from(octets.subarray(0, octets.length & ~1))
    .swap16()
    .toString('utf16le')
}

function sarOf(pdu: TextPdu): Concatenation | null {
  const { reference, total, segment } = sarOctets(pdu)
  if (reference?.length !== 2 || total?.length !== 1 || segment?.length !== 1) return null
  return concatenationOf(reference.readUInt16BE(0), total[0]!, segment[0]!)
}

/** The sar parameters; incomplete ones are ignored (SMPP 3.4, 5.3.2.22). */
export function sarOctets(pdu: TextPdu): Partial<Record<'reference' | 'total' | 'segment', Buffer>> {
  if (pdu.tlvs.length < 3) return {}
  const reference = findTlv(pdu, TAG.sar_msg_ref_num)
  const total = findTlv(pdu, TAG.sar_total_segments)
  const segment = findTlv(pdu, TAG.sar_segment_seqnum)
  return reference && total && segment ? { reference, total, segment } : {}
}
