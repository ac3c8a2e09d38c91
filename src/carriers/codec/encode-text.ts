import { splitText } from '../../values/sms/sms-text.ts'
import { encodeGsm, packSeptets } from './gsm7.ts'
import { pageFormOf, type TextProfile } from './page-form.ts'
import { ESM, TAG, type Tlv } from './pdu.ts'
import { fillBits, writeUdh, type Concatenation } from './udh.ts'

/** The fields of a submit_sm that depend on the text. */
export type TextSegment = { data_coding: number; esm_class: number; short_message: Buffer; tlvs: Tlv[] }

/** The segments in order. `reference` distinguishes texts to the same number; it is truncated to the header's width. */
export function encodeText(text: string, profile: TextProfile, reference: number): TextSegment[] {
  const { encoding, segments } = splitText(text, pageFormOf(profile))
  const coding = encoding === 'GSM' ? profile.alphabet : 'ucs2'
  const data_coding = (coding === 'ucs2' ? UCS2 : DEFAULT) | (profile.flash === true ? CLASS_0 : 0)
  const total = segments.length
  if (total === 1) return [{ data_coding, esm_class: 0, short_message: encodeOctets(text, coding, 0), tlvs: [] }]
  if (profile.long === 'payload') {
    const tlvs = [{ tag: TAG.message_payload, value: encodeOctets(text, coding, 0) }]
    return [{ data_coding, esm_class: 0, short_message: NOTHING, tlvs }]
  }
  if (total > MAX_SEGMENTS) throw new RangeError(`A text of ${total} segments cannot be numbered.`)
  return segments.map((segment, i) =>
    numbered(segment, coding, data_coding, profile.long, { reference, total, segment: i + 1 }),
  )
}

type Coding = TextProfile['alphabet'] | 'ucs2'

const DEFAULT = 0x00
const UCS2 = 0x08
const CLASS_0 = 0x10
const MAX_SEGMENTS = 255
const NOTHING = Buffer.alloc(0)

function numbered(
  text: string,
  coding: Coding,
  data_coding: number,
  long: TextProfile['long'],
  place: Concatenation,
): TextSegment {
  if (long === 'sar') {
    const tlvs = [
      { tag: TAG.sar_msg_ref_num, value: Buffer.from([(place.reference >> 8) & 0xff, place.reference & 0xff]) },
      { tag: TAG.sar_total_segments, value: Buffer.from([place.total]) },
      { tag: TAG.sar_segment_seqnum, value: Buffer.from([place.segment]) },
    ]
    return { data_coding, esm_class: 0, short_message: encodeOctets(text, coding, 0), tlvs }
  }
  const header = writeUdh(place, long === 'udh16')
  const short_message = Buffer.concat([header, encodeOctets(text, coding, header.length)])
  return { data_coding, esm_class: ESM.udh, short_message, tlvs: [] }
}

function encodeOctets(text: string, coding: Coding, header_octets: number): Buffer {
  switch (coding) {
    case 'gsm7':
      return encodeGsm(text)!
    case 'gsm7-packed':
      return packSeptets(encodeGsm(text)!, fillBits(header_octets))
    case 'latin1':
    case 'ascii':
      return Buffer.from(text, 'latin1')
    case 'ucs2':
      return Buffer.from(text, 'utf16le').swap16()
  }
}
