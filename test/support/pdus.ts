import * as fc from 'fast-check'
import {
  COMMANDS,
  DEST_FLAG,
  makePdu,
  type CommandName,
  type Destination,
  type Field,
  type FieldValue,
  type Pdu,
  type Unsuccess,
} from '../../src/carriers/codec/pdu.ts'
import { keysOf } from '../../src/values/record.ts'

/** Any valid PDU, of any command. */
export function anyPdu(): fc.Arbitrary<Pdu> {
  return fc.oneof(...keysOf(COMMANDS).map(pduOf))
}

function pduOf(command: CommandName): fc.Arbitrary<Pdu> {
  const fields = Object.fromEntries(COMMANDS[command].fields.map((field) => [field.name, value(field)]))
  return fc
    .record({
      command_status: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 0xffffffff })),
      sequence_number: fc.integer({ min: 1, max: 0x7fffffff }),
      tlvs: fc.array(fc.record({ tag: fc.integer({ min: 0, max: 0xffff }), value: octets(300) }), { maxLength: 4 }),
      ...fields,
    })
    .map((wish) => makePdu(command, wish))
}

function value(field: Field): fc.Arbitrary<FieldValue> {
  switch (field.kind) {
    case 'int':
      return fc.integer({ min: 0, max: 255 })
    case 'octets':
      return octets(255)
    case 'text':
      return text(field.max - 1)
    case 'destinations':
      return fc.array(fc.oneof(number(), list()), { maxLength: 5 })
    case 'unsuccess':
      return fc.array(refused(), { maxLength: 5 })
  }
}

const LONGEST_ADDRESS = 20
const octet = () => fc.integer({ min: 0, max: 255 })
const address = () => ({
  dest_addr_ton: octet(),
  dest_addr_npi: octet(),
  destination_addr: text(LONGEST_ADDRESS),
})

function number(): fc.Arbitrary<Destination> {
  return fc.record({ dest_flag: fc.constant(DEST_FLAG.number), ...address() })
}

function list(): fc.Arbitrary<Destination> {
  const nothing = fc.constant(0)
  const fields = { dest_addr_ton: nothing, dest_addr_npi: nothing, destination_addr: text(LONGEST_ADDRESS) }
  return fc.record({ dest_flag: fc.constant(DEST_FLAG.list), ...fields })
}

function refused(): fc.Arbitrary<Unsuccess> {
  return fc.record({ ...address(), error_status_code: fc.integer({ min: 0, max: 0xffffffff }) })
}

function text(maxLength: number): fc.Arbitrary<string> {
  return fc.string({ unit: fc.integer({ min: 1, max: 255 }).map((code) => String.fromCharCode(code)), maxLength })
}

function octets(maxLength: number): fc.Arbitrary<Buffer> {
  return fc.uint8Array({ maxLength }).map((bytes) => Buffer.from(bytes))
}
