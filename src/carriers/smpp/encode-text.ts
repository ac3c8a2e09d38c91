import type { Tlv } from './pdu.ts'

/** How a carrier wants texts. */
export type TextProfile = {
  /** What data_coding 0 means there. A text it cannot hold goes as UCS-2. */
  alphabet: 'gsm7' | 'latin1' | 'ascii' | 'gsm7-packed'
  /** How the parts of a long text are numbered; `payload`: not at all, the SMSC splits it. */
  long: 'udh8' | 'udh16' | 'sar' | 'payload'
  /** Shown at once and not stored. */
  flash?: boolean
}

/** What of a submit_sm depends on the text: spread it into the PDU. */
export type TextPart = { data_coding: number; esm_class: number; short_message: Buffer; tlvs: Tlv[] }

/** The parts in order. `reference` tells texts to the same number apart; it wraps by itself. */
export function encodeText(_text: string, _profile: TextProfile, _reference: number): TextPart[] {
  throw new Error('Not written yet.')
}
