import {
  COMMANDS,
  DEST_FLAG,
  MAX_PDU_BYTES,
  type Destination,
  type Field,
  type Pdu,
  type Tlv,
  type Unsuccess,
  type Values,
} from './pdu.ts'

/** Encodes a PDU. Throws `UnsendablePdu` if a value does not fit its field: nothing is truncated. */
export function encodePdu(pdu: Pdu): Buffer {
  const values: Values = pdu
  const { id, fields } = COMMANDS[pdu.command]
  const length = 16 + bodyBytes(fields, values) + tlvBytes(pdu.tlvs)
  if (length > MAX_PDU_BYTES) throw new UnsendablePdu(`${pdu.command} would have ${length} bytes.`)
  const bytes = Buffer.allocUnsafe(length)
  bytes.writeUInt32BE(length, 0)
  bytes.writeUInt32BE(id, 4)
  bytes.writeUInt32BE(pdu.command_status, 8)
  bytes.writeUInt32BE(pdu.sequence_number, 12)
  let at = 16
  for (const field of fields) at = writeField(bytes, at, field, values)
  for (const { tag, value } of pdu.tlvs) at = writeTlv(bytes, at, tag, value)
  return bytes
}

/** A value that SMPP cannot encode. Nothing was sent. */
export class UnsendablePdu extends Error {
  override readonly name = 'UnsendablePdu'
}

function bodyBytes(fields: readonly Field[], values: Values): number {
  let length = 0
  // One octet for the integer, the terminating NUL or the length.
  for (const field of fields) length += field.kind === 'int' ? 1 : 1 + lengthOf(field, values[field.name])
  return length
}

function lengthOf(field: Field, value: Value): number {
  if (field.kind === 'destinations' || field.kind === 'unsuccess') return entriesOf(field.name, value).length
  return typeof value === 'string' || typeof value === 'object' ? value.length : 0
}

function tlvBytes(tlvs: readonly Tlv[]): number {
  let length = 0
  for (const { value } of tlvs) length += 4 + value.length
  return length
}

type Value = Values[string] | undefined

function writeField(bytes: Buffer, at: number, field: Field, values: Values): number {
  const value = values[field.name]
  switch (field.kind) {
    case 'int':
      return writeInt(bytes, at, field.name, value)
    case 'text':
      return writeText(bytes, at, field, value)
    case 'octets':
      return writeOctets(bytes, at, field.name, value)
    case 'destinations':
    case 'unsuccess':
      return writeList(bytes, at, field.name, value)
  }
}

function writeInt(bytes: Buffer, at: number, name: string, value: Value): number {
  if (typeof value !== 'number' || value >>> 0 !== value || value > 0xff)
    throw new UnsendablePdu(`${name} is not an octet.`)
  bytes[at] = value
  return at + 1
}

function writeOctets(bytes: Buffer, at: number, name: string, value: Value): number {
  if (!Buffer.isBuffer(value)) throw new UnsendablePdu(`${name} is not octets.`)
  if (value.length > 0xff) throw new UnsendablePdu(`${name} has more than 255 octets.`)
  bytes[at] = value.length
  value.copy(bytes, at + 1)
  return at + 1 + value.length
}

function writeText(bytes: Buffer, at: number, field: Field & { kind: 'text' }, value: Value): number {
  if (typeof value !== 'string') throw new UnsendablePdu(`${field.name} is not a text.`)
  if (value.length >= field.max) throw new UnsendablePdu(`${field.name} has more than ${field.max - 1} characters.`)
  // For a few characters this loop is faster than Buffer.write, and it detects characters that cannot be encoded.
  for (let i = 0; i < value.length; i++) {
    const code = value.charCodeAt(i)
    if (code === 0 || code > 0xff) throw new UnsendablePdu(`${field.name} holds a character SMPP has no octet for.`)
    bytes[at + i] = code
  }
  bytes[at + value.length] = 0
  return at + value.length + 1
}

function writeList(bytes: Buffer, at: number, name: string, value: Value): number {
  const entries = entriesOf(name, value)
  bytes[at] = Array.isArray(value) ? value.length : 0
  entries.copy(bytes, at + 1)
  return at + 1 + entries.length
}

/** The encoded `Destination` or `Unsuccess` entries. */
function entriesOf(name: string, value: Value): Buffer {
  if (!Array.isArray(value)) throw new UnsendablePdu(`${name} is not a list.`)
  if (value.length > 0xff) throw new UnsendablePdu(`${name} has more than 255 entries.`)
  return Buffer.concat(value.map((entry) => entryOf(name, entry)))
}

function entryOf(name: string, entry: Tlv | Destination | Unsuccess): Buffer {
  if (!('destination_addr' in entry)) throw new UnsendablePdu(`${name} has an entry of the wrong type.`)
  const { dest_addr_ton, dest_addr_npi, destination_addr } = entry
  const bytes = Buffer.alloc(1 + 2 + destination_addr.length + 1 + 4)
  const flag = 'dest_flag' in entry ? entry.dest_flag : undefined
  let at = flag === undefined ? 0 : writeInt(bytes, 0, 'dest_flag', flag)
  if (flag !== DEST_FLAG.list) {
    at = writeInt(bytes, at, 'dest_addr_ton', dest_addr_ton)
    at = writeInt(bytes, at, 'dest_addr_npi', dest_addr_npi)
  }
  at = writeText(bytes, at, { name: 'destination_addr', kind: 'text', max: MAX_ADDRESS }, destination_addr)
  if ('error_status_code' in entry) at = bytes.writeUInt32BE(entry.error_status_code, at)
  return bytes.subarray(0, at)
}

/** With the NUL; also for the name of a distribution list. */
const MAX_ADDRESS = 21

function writeTlv(bytes: Buffer, at: number, tag: number, value: Buffer): number {
  if (tag >>> 0 !== tag || tag > 0xffff) throw new UnsendablePdu('The tag of an optional parameter is not two octets.')
  bytes.writeUInt16BE(tag, at)
  bytes.writeUInt16BE(value.length, at + 2)
  value.copy(bytes, at + 4)
  return at + 4 + value.length
}
