import type { PduSummary } from '../schema.ts'
import type { Pdu } from './pdu.ts'
import { statusName } from './status.ts'

/** A PDU as shown to operators: without text and password, numbers masked. */
export function summarise(pdu: Pdu, bytes: number): PduSummary {
  const { command, sequence_number, tlvs } = pdu
  const summary: PduSummary = { command, command_status: statusName(pdu.command_status), sequence_number, bytes }
  if ('source_addr' in pdu) summary.from = hideMiddle(pdu.source_addr)
  if ('destination_addr' in pdu) summary.to = hideMiddle(pdu.destination_addr)
  if ('message_id' in pdu && pdu.message_id !== '') summary.message_id = pdu.message_id
  if ('esm_class' in pdu) {
    summary.esm_class = pdu.esm_class
    summary.data_coding = pdu.data_coding
  }
  if ('short_message' in pdu) summary.length = pdu.short_message.length
  if (tlvs.length > 0) summary.tlvs = tlvs.map(({ tag }) => `0x${tag.toString(16).padStart(4, '0')}`)
  return summary
}

/** `2348031234567` becomes `23480***567`; alphanumeric senders are not masked. */
function hideMiddle(address: string): string {
  if (!/^\+?\d{7,}$/.test(address)) return address
  return `${address.slice(0, 5)}***${address.slice(-3)}`
}
