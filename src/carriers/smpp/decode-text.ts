import type { DataSm, DeliverSm, SubmitSm } from './pdu.ts'
import type { TextProfile } from './encode-text.ts'

export type InboundText = {
  text: string
  /** The part it is, if it is one: parts of one text share from, to, `reference` and `total`; `part` counts from 1. */
  concatenation: { reference: number; total: number; part: number } | null
  /** Octets that are no text (8-bit data); `text` is then their hex. */
  binary: boolean
}

/** The text of a PDU: any coding, with or without a user data header, in short_message or message_payload. */
export function decodeText(_pdu: SubmitSm | DeliverSm | DataSm, _alphabet: TextProfile['alphabet']): InboundText {
  throw new Error('Not written yet.')
}
