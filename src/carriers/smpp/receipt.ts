import type { DataSm, DeliverSm } from './pdu.ts'

/** What a report says of a message we submitted. */
export type Receipt = {
  /** As the SMSC writes it here, which is not always as it wrote it in its answer. Null: it names none. */
  message_id: string | null
  state: ReceiptState
  /** Nothing more is to come. */
  final: boolean
  /** The carrier's own word for the state: `DELIVRD`, or `state 2` where only the number came. */
  stat: string
  /** The network's code: `err` of the text or network_error_code, null if neither came. */
  code: string | null
  /** As they stand: `YYMMDDhhmm` with or without seconds. */
  submit_date: string | null
  done_date: string | null
}

export type ReceiptState = 'delivered' | 'undelivered' | 'expired' | 'rejected' | 'deleted' | 'unknown' | 'in_transit'

/** The report in a PDU, or null: then it is a text from a handset. */
export function readReceipt(_pdu: DeliverSm | DataSm): Receipt | null {
  throw new Error('Not written yet.')
}
