import { isSeptets, splitBinary, type BinaryText } from '../../../values/sms/binary-text.ts'
import { measureText } from '../../../values/sms/sms-text.ts'
import type { OutgoingMessage } from '../../message-carrier.ts'
import { encodeText, type TextSegment } from '../../codec/encode-text.ts'
import { decodeGsm, packSeptets } from '../../codec/gsm7.ts'
import { pageFormOf } from '../../codec/page-form.ts'
import { ESM, type Tlv, type PduFields } from '../../codec/pdu.ts'
import { fillBits } from '../../codec/udh.ts'
import type { Profile } from '../schema.ts'

export type SubmitSegment = {
  sm: PduFields<'submit_sm'> & { tlvs: Tlv[] }
  /** Its cost in the rate: a text that the carrier splits counts several. */
  segments: number
}

const RECEIPT_WANTED = 1

/** The submit_sm of each segment of a message, by the carrier's profile. */
export function composeSubmit(message: OutgoingMessage, profile: Profile, reference: number): SubmitSegment[] {
  const { recipient, sender_id, text, binary, urgent } = message
  const segments = binary
    ? encodeBinary(binary, profile.alphabet, reference)
    : encodeText(text, { alphabet: profile.alphabet, long: profile.long }, reference)
  const validity_s = message.expires_in_s ?? (profile.validity_h === undefined ? null : profile.validity_h * 3_600)
  const sender = senderAddress(sender_id ?? '', profile)
  const becomes = profile.long === 'payload' && !binary ? measureText(text, pageFormOf(profile)).pages : 1
  return segments.map((segment) => ({
    sm: {
      service_type: profile.service_type,
      source_addr_ton: sender.ton,
      source_addr_npi: sender.npi,
      source_addr: sender.address,
      dest_addr_ton: profile.recipient.ton,
      dest_addr_npi: profile.recipient.npi,
      destination_addr: recipient,
      priority_flag: urgent ? profile.otp_priority : 0,
      validity_period: validity_s === null ? '' : relativeTime(validity_s),
      registered_delivery: RECEIPT_WANTED,
      data_coding: segment.data_coding,
      esm_class: segment.esm_class,
      short_message: segment.short_message,
      tlvs: [...segment.tlvs],
    },
    segments: becomes,
  }))
}

/** Always with a UDH, whatever the profile says for long texts: a binary message with a header cannot be split otherwise. */
function encodeBinary(binary: BinaryText, alphabet: Profile['alphabet'], reference: number): TextSegment[] {
  const { data_coding } = binary
  return splitBinary(binary, reference).map(({ header, data }) => ({
    data_coding,
    esm_class: header.length > 0 ? ESM.udh : 0,
    short_message: Buffer.concat([header, isSeptets(data_coding) ? inAlphabet(data, alphabet, header.length) : data]),
    tlvs: [],
  }))
}

/** Septets in the carrier's default alphabet. */
function inAlphabet(septets: Buffer, alphabet: Profile['alphabet'], header_octets: number): Buffer {
  if (alphabet === 'gsm7') return septets
  if (alphabet === 'gsm7-packed') return packSeptets(septets, fillBits(header_octets))
  return Buffer.from(decodeGsm(septets), 'latin1')
}

/** A sender is a number, a short code or a name; TON and NPI say which. */
export function senderAddress(sender_id: string, profile: Profile): { ton: number; npi: number; address: string } {
  const digits = /^\+?(\d+)$/.exec(sender_id.replaceAll(' ', ''))?.[1]
  if (digits === undefined) return { ...profile.sender_name, address: sender_id }
  const kind = digits.length < SHORTEST_NUMBER ? profile.sender_short_code : profile.sender_number
  return { ...kind, address: digits }
}

const SHORTEST_NUMBER = 7

/** `YYMMDDhhmmsstnnR`, relative to now, rounded up to at least a second. A month has thirty days here. */
export function relativeTime(seconds: number): string {
  const total = Math.max(1, Math.ceil(seconds))
  const days = Math.floor(total / 86_400)
  const fields = [Math.floor(days / 360), Math.floor(days / 30) % 12, days % 30]
  const time = [Math.floor(total / 3_600) % 24, Math.floor(total / 60) % 60, total % 60]
  return `${[...fields, ...time].map((n) => String(n).padStart(2, '0')).join('')}000R`
}
