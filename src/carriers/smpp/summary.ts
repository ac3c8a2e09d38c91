import type { Pdu } from './pdu.ts'
import { statusName } from './status.ts'

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

export function summarise(pdu: Pdu, bytes: number): PduSummary {
  return {
    command: pdu.command,
    command_status: statusName(pdu.command_status),
    sequence_number: pdu.sequence_number,
    bytes,
    ...('source_addr' in pdu && { from: hideMiddle(pdu.source_addr) }),
    ...('destination_addr' in pdu && { to: hideMiddle(pdu.destination_addr) }),
    ...('message_id' in pdu && pdu.message_id !== '' && { message_id: pdu.message_id }),
    ...('esm_class' in pdu && { esm_class: pdu.esm_class, data_coding: pdu.data_coding }),
    ...('short_message' in pdu && { length: pdu.short_message.length }),
    ...(pdu.tlvs.length > 0 && { tlvs: pdu.tlvs.map(({ tag }) => `0x${tag.toString(16).padStart(4, '0')}`) }),
  }
}

/** `2348031234567` becomes `23480***567`; names of senders are no secret. */
function hideMiddle(address: string): string {
  if (!/^\+?\d{7,}$/.test(address)) return address
  return `${address.slice(0, 5)}***${address.slice(-3)}`
}
