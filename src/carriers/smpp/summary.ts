/** What an operator may see of a PDU: no text, no password, numbers without their middle. */
export type PduSummary = {
  command: string
  command_status: string
  sequence_number: number
  bytes: number
  from?: string
  to?: string
  message_id?: string
  esm_class?: number
  data_coding?: number
  /** Octets of text. */
  length?: number
  /** Tags, such as `0x001e`. */
  tlvs?: string[]
}
