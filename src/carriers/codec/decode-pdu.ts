import {
  COMMANDS,
  DEST_FLAG,
  type CommandName,
  type Destination,
  type Field,
  type FieldValue,
  type Pdu,
  type Tlv,
  type Unsuccess,
  type Values,
} from './pdu.ts'
import { STATUS } from './status.ts'

/**
 * Decodes the PDU in a frame, or returns its fault; never throws. Octets (short_message, TLVs) are views of the frame.
 *
 * Responses are decoded leniently, because a message whose fate is unknown is worse than a partly decoded answer: missing
 * fields get their defaults, a missing NUL ends the text, malformed TLVs are dropped.
 */
export function decodePdu(frame: Buffer): Pdu | PduFault {
  if (frame.length < 16 || frame.readUInt32BE(0) !== frame.length) return faultOf('bad_length', frame)
  const command_id = frame.readUInt32BE(4)
  const known = BY_ID.get(command_id)
  if (known === undefined) return faultOf('unknown_command', frame)
  const reading: Reading = { frame, at: 16, lenient: command_id >= 0x80000000, fault: 'short_body' }
  const pdu: Pdu = { ...known.blank }
  const values: Values = pdu
  pdu.command_status = frame.readUInt32BE(8)
  pdu.sequence_number = frame.readUInt32BE(12)
  for (const field of known.fields) {
    const value = readField(reading, field)
    if (value === undefined) return faultOf(reading.fault, frame, pdu.command)
    values[field.name] = value
  }
  const tlvs = readTlvs(reading)
  if (tlvs === undefined) return faultOf('bad_tlv', frame, pdu.command)
  pdu.tlvs = tlvs
  return pdu
}

/** Why a frame is not a PDU. After `bad_length` framing is lost; after the others the next PDU can be read. */
export type PduFault = {
  fault: keyof typeof ANSWER
  /** Null for an unknown command_id. */
  command: CommandName | null
  command_id: number
  sequence_number: number
  /** The status to answer with. */
  command_status: number
}

const ANSWER = {
  bad_length: STATUS.RINVCMDLEN,
  unknown_command: STATUS.RINVCMDID,
  short_body: STATUS.RINVCMDLEN,
  bad_dest_flag: STATUS.RINVDESTFLAG,
  bad_tlv: STATUS.RINVOPTPARSTREAM,
} as const

type Known = { id: number; fields: readonly Field[]; blank: Pdu }

const BY_ID = new Map<number, Known>(Object.values(COMMANDS).map((known) => [known.id, known]))

type Reading = { frame: Buffer; at: number; lenient: boolean; fault: PduFault['fault'] }

function readField(reading: Reading, field: Field): FieldValue | undefined {
  switch (field.kind) {
    case 'int':
      return readInt(reading)
    case 'text':
      return readText(reading)
    case 'octets':
      return readOctets(reading)
    case 'destinations':
      return readList(reading, readDestination)
    case 'unsuccess':
      return readList(reading, readUnsuccess)
  }
}

/** At most 255 entries: the count is one octet. */
function readList<T>(reading: Reading, readEntry: (reading: Reading) => T | undefined): T[] | undefined {
  const count = readInt(reading)
  if (count === undefined) return undefined
  const entries: T[] = []
  while (entries.length < count) {
    const entry = reading.at < reading.frame.length ? readEntry(reading) : undefined
    if (entry === undefined) return reading.lenient ? entries : undefined
    entries.push(entry)
  }
  return entries
}

/** With an unknown flag the start of the next destination is unknown. */
function readDestination(reading: Reading): Destination | undefined {
  const dest_flag = readInt(reading)
  if (dest_flag === DEST_FLAG.number) {
    const address = readAddress(reading)
    return address && { dest_flag, ...address }
  }
  if (dest_flag === DEST_FLAG.list) {
    const destination_addr = readText(reading)
    return destination_addr === undefined ? undefined : { dest_flag, ...NO_TYPE, destination_addr }
  }
  if (dest_flag !== undefined) reading.fault = 'bad_dest_flag'
  return undefined
}

const NO_TYPE = { dest_addr_ton: 0, dest_addr_npi: 0 }

function readUnsuccess(reading: Reading): Unsuccess | undefined {
  const address = readAddress(reading)
  const { frame, at } = reading
  if (!address || at + 4 > frame.length) return undefined
  reading.at = at + 4
  return { ...address, error_status_code: frame.readUInt32BE(at) }
}

function readAddress(reading: Reading): Omit<Unsuccess, 'error_status_code'> | undefined {
  const dest_addr_ton = readInt(reading)
  const dest_addr_npi = readInt(reading)
  const destination_addr = readText(reading)
  if (dest_addr_ton === undefined || dest_addr_npi === undefined || destination_addr === undefined) return undefined
  return { dest_addr_ton, dest_addr_npi, destination_addr }
}

function readInt(reading: Reading): number | undefined {
  if (reading.at < reading.frame.length) return reading.frame[reading.at++]!
  return reading.lenient ? 0 : undefined
}

function readText(reading: Reading): string | undefined {
  const { frame, at } = reading
  let end = at
  while (end < frame.length && frame[end] !== 0) end++
  if (end === frame.length && !reading.lenient) return undefined
  reading.at = Math.min(end + 1, frame.length)
  return end === at ? '' : frame.toString('latin1', at, end)
}

function readOctets(reading: Reading): Buffer | undefined {
  const { frame, at } = reading
  const end = at + 1 + (frame[at] ?? 0)
  if (end > frame.length) return undefined
  reading.at = end
  return frame.subarray(at + 1, end)
}

/** One to three trailing octets cannot be a TLV; some SMSCs send them by mistake, and they are ignored. */
function readTlvs({ frame, at, lenient }: Reading): Tlv[] | undefined {
  const tlvs: Tlv[] = []
  while (frame.length - at >= 4) {
    const start = at + 4
    const end = start + frame.readUInt16BE(at + 2)
    if (end > frame.length) return lenient ? [] : undefined
    tlvs.push({ tag: frame.readUInt16BE(at), value: frame.subarray(start, end) })
    at = end
  }
  return tlvs
}

function faultOf(fault: PduFault['fault'], frame: Buffer, command: CommandName | null = null): PduFault {
  const readable = frame.length >= 16
  return {
    fault,
    command,
    command_id: readable ? frame.readUInt32BE(4) : 0,
    sequence_number: readable ? frame.readUInt32BE(12) : 0,
    command_status: ANSWER[fault],
  }
}
