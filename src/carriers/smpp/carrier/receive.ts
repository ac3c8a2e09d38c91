import { createHash } from 'node:crypto'
import { isDatabaseUnreachable } from '../../../db/unreachable.ts'
import type { Meters } from '../../../observe/meters.ts'
import { makeBatchWriter } from '../../../values/concurrency/batch-writer.ts'
import type { Log } from '../../../values/log.ts'
import { dialPlan } from '../../../values/phone/phone.ts'
import type { CarrierReport, TakeReports } from '../../message-carrier.ts'
import { joinSegments } from '../codec/join-segments.ts'
import { describeCode } from '../codec/receipt-codes.ts'
import { decodeText, isSegmentTooLong, type InboundText } from '../codec/decode-text.ts'
import type { Inbound } from '../../inbound/inbound.ts'
import { ourNumber } from './our-number.ts'
import type { DataSm, DeliverSm } from '../codec/pdu.ts'
import { readReceipt, type Receipt } from '../codec/receipt.ts'
import type { SmppSettings } from '../schema.ts'
import type { Taken } from '../session/session.ts'
import { STATUS } from '../codec/status.ts'

export type ReceiveDeps = {
  log: Log
  meters: Meters
  takeReports: TakeReports
  inbound: Inbound
  /** Of the installation, for a carrier without one of its own. */
  default_country: string
}

const BURST = { items: 500 }
/**
 * A message centre waits for our answers after so many reports (its window, often a hundred). All of them in one burst
 * is the least work. But when a burst takes longer than this, as on a slow disk, the centre would stand still while we
 * write, and we while it sends: then they are stored by several bursts at once.
 */
const SLOW_MS = 75
const BURSTS = 3

/**
 * What is done with a deliver_sm: a report is stored, a text handed on, and only then is it acknowledged. When that
 * fails the message centre is asked to try again. Reports that come together are stored together.
 */
export function makeReceive(
  { log, meters, takeReports, inbound, default_country }: ReceiveDeps,
  { name: carrier, msg_id_mode, profile, country = default_country }: SmppSettings,
): (pdu: DeliverSm | DataSm) => Promise<Taken> {
  const plan = dialPlan(country)
  const bursts = Array.from({ length: BURSTS }, () => makeBatchWriter(BURST, storeAll, isDatabaseUnreachable))
  let is_slow = false
  let turn = 0

  async function storeAll(reports: readonly CarrierReport[]): Promise<undefined[]> {
    const began = performance.now()
    await takeReports(reports)
    is_slow = performance.now() - began > SLOW_MS
    return reports.map(() => undefined)
  }

  async function store(report: CarrierReport): Promise<void> {
    turn = is_slow ? (turn + 1) % BURSTS : 0
    await bursts[turn]?.(report)
  }

  async function takeReceipt(receipt: Receipt, pdu: DeliverSm | DataSm): Promise<void> {
    meters.smpp_received.inc({ carrier, what: receipt.state })
    const status = statusOf(receipt)
    if (status === undefined) return // still on its way
    if (receipt.message_id === null) {
      log.warn({ carrier, stat: receipt.stat }, 'a report names no message')
      return
    }
    const code = threeDigits(receipt.code ?? (status === 'delivered' ? '000' : ''))
    const own = profile.errors[code]?.description
    const description = own || describeCode(receipt.stat, code) || receipt.stat
    // A report comes from the number that the message went to. Its last digits are compared, so any form will do.
    const recipient = pdu.source_addr
    await store({ carrier, carrier_message_id: receipt.message_id, status, code, description, recipient, msg_id_mode })
  }

  /** What is longer than any segment is a text of its own: not lost, and not kept with hundreds like it until all are here. */
  function readText(pdu: DeliverSm | DataSm): InboundText {
    const read = decodeText(pdu, profile.alphabet)
    if (read.concatenation === null || read.concatenation.total < 2 || !isSegmentTooLong(pdu)) return read
    log.warn({ carrier, ...read.concatenation }, 'a segment is longer than one can be, and taken as a whole text')
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
    const from = ourNumber(pdu.source_addr, pdu.source_addr_ton, plan)
    const digest = digestOf(pdu)
    await inbound.take(from, ourNumber(pdu.destination_addr, pdu.dest_addr_ton, plan), text, digest)
    return { command_status: STATUS.ROK, onRead: () => inbound.forget(digest) }
  }
}

/** All of it but its sequence number, which another try has anew. */
function digestOf({ sequence_number: _of_this_try, ...pdu }: DeliverSm | DataSm): Buffer {
  return createHash('sha256').update(JSON.stringify(pdu)).digest()
}

function statusOf({ state, final }: Receipt): CarrierReport['status'] | undefined {
  if (!final || state === 'in_transit') return undefined
  return state === 'deleted' ? 'undelivered' : state
}

/** `8`, `08` and `008` are the same code; a network_error_code has no zeros of its own. */
function threeDigits(code: string): string {
  return /^\d{1,2}$/.test(code) ? code.padStart(3, '0') : code
}
