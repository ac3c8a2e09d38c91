import { encodeGsm } from '../../carriers/codec/gsm7.ts'
import { ESM, makePdu, TAG, type DeliverSm } from '../../carriers/codec/pdu.ts'
import type { IdForm, ReportSettings } from './settings.ts'

export type Reported = {
  id: bigint
  from: string
  to: string
  text: string
  submitted_at: Date
}

/** The delivery receipt of a message, in the configured form. */
export function makeReport(
  message: Reported,
  stat: string,
  { form, report_id }: ReportSettings,
  err = stat === 'DELIVRD' ? '000' : '001',
): DeliverSm {
  const id = writeId(message.id, report_id)
  const state = STATES[stat] ?? STATES['UNKNOWN']!
  const done = stat === 'DELIVRD' ? '001' : '000'
  const dates = `submit date:${minute(message.submitted_at)} done date:${minute(new Date())}`
  const words = `id:${id} sub:001 dlvrd:${done} ${dates} stat:${stat} err:${err} text:`
  return makePdu('deliver_sm', {
    source_addr: message.to,
    source_addr_ton: 1,
    source_addr_npi: 1,
    destination_addr: message.from,
    esm_class: form === 'unflagged' ? 0 : ESM.receipt,
    short_message: form === 'tlv' ? Buffer.alloc(0) : Buffer.concat([Buffer.from(words), quote(message.text)]),
    tlvs:
      form === 'tlv' || form === 'both'
        ? [
            { tag: TAG.receipted_message_id, value: Buffer.from(`${id}\0`) },
            { tag: TAG.message_state, value: Buffer.from([state]) },
            { tag: TAG.network_error_code, value: Buffer.from([3, 0, Number(err)]) },
          ]
        : [],
  })
}

export function writeId(id: bigint, form: IdForm): string {
  switch (form) {
    case 'decimal':
      return id.toString()
    case 'hex':
      return id.toString(16)
    case 'upper_case':
      return id.toString(16).toUpperCase()
    case 'zero_padded':
      return id.toString().padStart(24, '0')
  }
}

/** message_state by `stat`. */
export const STATES: Record<string, number> = {
  ENROUTE: 1,
  DELIVRD: 2,
  EXPIRED: 3,
  DELETED: 4,
  UNDELIV: 5,
  FAILED: 5,
  ACCEPTD: 6,
  BUFFRED: 6,
  UNKNOWN: 7,
  REJECTD: 8,
}

function quote(text: string): Buffer {
  return encodeGsm(text.slice(0, 20)) ?? Buffer.alloc(0)
}

function minute(date: Date): string {
  return date.toISOString().slice(2, 16).replace(/[-T:]/g, '')
}
