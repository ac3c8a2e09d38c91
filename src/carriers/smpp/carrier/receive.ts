import { createHash } from 'node:crypto'
import type { Meters } from '../../../observe/meters.ts'
import type { Log } from '../../../values/log.ts'
import { cleanDigits, cleanNational, dialPlan, type DialPlan } from '../../../values/phone/phone.ts'
import type { CarrierReport, TakeReport } from '../../message-carrier.ts'
import { joinSegments } from '../../codec/join-segments.ts'
import { describeCode } from '../../delivery-codes.ts'
import { decodeText, isSegmentTooLong, type InboundText } from '../../codec/decode-text.ts'
import type { Inbound } from '../../inbound/inbound.ts'
import type { DataSm, DeliverSm } from '../../codec/pdu.ts'
import { readReceipt, type Receipt } from '../../codec/receipt.ts'
import type { SmppSettings } from '../schema.ts'
import type { Taken } from '../session/session.ts'
import { STATUS } from '../../codec/status.ts'

export type ReceiveDeps = {
  log: Log
  meters: Meters
  takeReport: TakeReport
  inbound: Inbound
  /** Of the installation, for a carrier without one of its own. */
  default_country: string
}

/** Stores the report or text in a deliver_sm, and acknowledges it only then. On failure the SMSC retries. */
export function makeReceive(
  { log, meters, takeReport, inbound, default_country }: ReceiveDeps,
  { name: carrier, msg_id_mode, profile, country = default_country }: SmppSettings,
): (pdu: DeliverSm | DataSm) => Promise<Taken> {
  const plan = dialPlan(country)

  async function takeReceipt(receipt: Receipt, pdu: DeliverSm | DataSm): Promise<void> {
    meters.smpp_received.inc({ carrier, what: receipt.state })
    const status = statusOf(receipt)
    if (status === undefined) return // an intermediate state
    if (receipt.message_id === null) {
      log.warn({ carrier, stat: receipt.stat }, 'a report has no message id')
      return
    }
    const code = threeDigits(receipt.code ?? (status === 'delivered' ? '000' : ''))
    const own = profile.errors[code]?.description
    const description = own || describeCode(receipt.stat, code) || receipt.stat
    // A report's source is the recipient of the message. Only its last digits are compared, so any notation will do.
    const recipient = pdu.source_addr
    const carrier_message_id = receipt.message_id
    await takeReport({ carrier, carrier_message_id, status, code, description, recipient, msg_id_mode })
  }

  /** A segment longer than any can be is received as a whole text, rather than buffered until the others arrive. */
  function readText(pdu: DeliverSm | DataSm): InboundText {
    const read = decodeText(pdu, profile.alphabet)
    if (read.concatenation === null || read.concatenation.total < 2 || !isSegmentTooLong(pdu)) return read
    log.warn({ carrier, ...read.concatenation }, 'a segment is longer than the maximum; it is received as a whole text')
    return { ...read, text: joinSegments([read.text], 1), concatenation: null }
  }

  return async (pdu) => {
    const receipt = readReceipt(pdu)
    if (receipt) {
      await takeReceipt(receipt, pdu)
      return STATUS.ROK
    }
    const text = readText(pdu)
    meters.smpp_received.inc({ carrier, what: 'text' })
    const from = normalizeAddress(pdu.source_addr, pdu.source_addr_ton, plan)
    const digest = digestOf(pdu)
    await inbound.take(from, normalizeAddress(pdu.destination_addr, pdu.dest_addr_ton, plan), text, digest)
    return { command_status: STATUS.ROK, onRead: () => inbound.forget(digest) }
  }
}

/** Identifies a redelivery: everything but the sequence number. */
function digestOf({ sequence_number: _differs, ...pdu }: DeliverSm | DataSm): Buffer {
  return createHash('sha256').update(JSON.stringify(pdu)).digest()
}

function statusOf({ state, final }: Receipt): CarrierReport['status'] | undefined {
  if (!final || state === 'in_transit') return undefined
  return state === 'deleted' ? 'undelivered' : state
}

/** `8`, `08` and `008` are the same code; a network_error_code has no leading zeros. */
function threeDigits(code: string): string {
  return /^\d{1,2}$/.test(code) ? code.padStart(3, '0') : code
}

/** Types of number (TON). */
const TON = { unknown: 0, international: 1, national: 2 } as const

/**
 * Normalizes an address to digits with country code, so that a STOP is stored under the number messages are sent to.
 * `plan` is that of the carrier's country. TONs are often wrong, so the digits are considered as well. Short codes and
 * names stay unchanged.
 */
function normalizeAddress(address: string, ton: number, plan: DialPlan): string {
  if (!/^\+?\d+$/.test(address)) return address
  const is_plain = ton === TON.international || ton === TON.unknown
  const number = ton === TON.national ? cleanNational(address, plan) : is_plain ? cleanDigits(address, plan) : undefined
  return number ?? address.replace(/^\+/, '')
}
