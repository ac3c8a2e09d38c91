import * as fc from 'fast-check'
import { COMMANDS, makePdu, type CommandName, type Field, type Pdu } from '../../src/carriers/smpp/codec/pdu.ts'
import { keysOf } from '../../src/values/keys-of.ts'

/** Any PDU that can be sent, of any command. */
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

function value(field: Field): fc.Arbitrary<number | string | Buffer> {
  if (field.kind === 'int') return fc.integer({ min: 0, max: 255 })
  if (field.kind === 'octets') return octets(255)
  const letter = fc.integer({ min: 1, max: 255 }).map((code) => String.fromCharCode(code))
  return fc.string({ unit: letter, maxLength: field.max - 1 })
}

function octets(maxLength: number): fc.Arbitrary<Buffer> {
  return fc.uint8Array({ maxLength }).map((bytes) => Buffer.from(bytes))
}
