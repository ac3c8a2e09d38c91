import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyPdu } from '../../../test/support/pdus.ts'
import { decodePdu } from './decode-pdu.ts'
import { encodePdu, UnsendablePdu } from './encode-pdu.ts'
import { COMMANDS, findTlv, makePdu, TAG, type CommandName, type Pdu } from './pdu.ts'
import { STATUS, statusName } from './status.ts'

const hex = (...segments: string[]): Buffer => Buffer.from(segments.join('').replaceAll(' ', ''), 'hex')

/** Octets written out by the specification's tables (the first is its own sample), and what they say. */
const VECTORS: [string, Buffer, Pdu][] = [
  [
    'bind_transmitter, the sample of section 3.2.3',
    hex('0000002F 00000002 00000000 00000001', '534D5050335445535400 7365637265743038 00 5355424D49543100 00 01 01 00'),
    makePdu('bind_transmitter', {
      sequence_number: 1,
      system_id: 'SMPP3TEST',
      password: 'secret08',
      system_type: 'SUBMIT1',
      addr_ton: 1,
      addr_npi: 1,
    }),
  ],
  [
    'bind_transceiver_resp with sc_interface_version',
    hex('00000019 80000009 00000000 00000002', '534D5300', '0210 0001 34'),
    makePdu('bind_transceiver_resp', {
      sequence_number: 2,
      system_id: 'SMS',
      tlvs: [{ tag: TAG.sc_interface_version, value: Buffer.from([0x34]) }],
    }),
  ],
  [
    'submit_sm from a name to a number, with a report wished and a relative validity',
    hex(
      '0000004D 00000004 00000000 00000003',
      '00 05 00 42414E4B00 01 01 3233343830333132333435363700',
      '00 00 01 00 30303030303030303135303030303052 00 01 00 00 00 05 48656C6C6F',
      '0204 0002 00FF',
    ),
    makePdu('submit_sm', {
      sequence_number: 3,
      source_addr_ton: 5,
      source_addr: 'BANK',
      dest_addr_ton: 1,
      dest_addr_npi: 1,
      destination_addr: '2348031234567',
      priority_flag: 1,
      validity_period: '000000001500000R',
      registered_delivery: 1,
      short_message: Buffer.from('Hello'),
      tlvs: [{ tag: TAG.user_message_reference, value: Buffer.from([0, 255]) }],
    }),
  ],
  [
    'submit_sm_resp',
    hex('00000015 80000004 00000000 00000003', '6162633100'),
    makePdu('submit_sm_resp', { sequence_number: 3, message_id: 'abc1' }),
  ],
  [
    'deliver_sm with a user data header',
    hex(
      '00000039 00000005 00000000 00000004',
      '00 01 01 32333400 00 01 333238313100 40 00 00 00 00 00 00 08 00 0A',
      '050003 07 02 01 00480069',
      '0424 0002 0041',
    ),
    makePdu('deliver_sm', {
      sequence_number: 4,
      source_addr_ton: 1,
      source_addr_npi: 1,
      source_addr: '234',
      dest_addr_npi: 1,
      destination_addr: '32811',
      esm_class: 0x40,
      data_coding: 8,
      short_message: hex('050003 07 02 01 00480069'),
      tlvs: [{ tag: TAG.message_payload, value: hex('0041') }],
    }),
  ],
  [
    'data_sm with a payload',
    hex('00000024 00000103 00000000 00000005', '00 01 01 32333400 00 00 3100 04 00 00', '0424 0002 6869'),
    makePdu('data_sm', {
      sequence_number: 5,
      source_addr_ton: 1,
      source_addr_npi: 1,
      source_addr: '234',
      destination_addr: '1',
      esm_class: 4,
      tlvs: [{ tag: TAG.message_payload, value: Buffer.from('hi') }],
    }),
  ],
  [
    'query_sm',
    hex('00000018 00000003 00000000 00000006', '616200 01 01 323300'),
    makePdu('query_sm', {
      sequence_number: 6,
      message_id: 'ab',
      source_addr_ton: 1,
      source_addr_npi: 1,
      source_addr: '23',
    }),
  ],
  [
    'query_sm_resp',
    hex('00000016 80000003 00000000 00000006', '616200 00 02 00'),
    makePdu('query_sm_resp', { sequence_number: 6, message_id: 'ab', message_state: 2 }),
  ],
  [
    'cancel_sm',
    hex('0000001A 00000008 00000000 00000007', '00 6100 00 00 00 01 01 3100'),
    makePdu('cancel_sm', {
      sequence_number: 7,
      message_id: 'a',
      dest_addr_ton: 1,
      dest_addr_npi: 1,
      destination_addr: '1',
    }),
  ],
  [
    'submit_multi to a number and a distribution list',
    hex(
      '00000036 00000021 00000000 0000000C',
      '00 05 00 4100 02 01 01 01 32333400 02 7374616666 00',
      '00 00 00 00 00 01 00 00 00 02 4869',
      '0204 0002 0102',
    ),
    makePdu('submit_multi', {
      sequence_number: 12,
      source_addr_ton: 5,
      source_addr: 'A',
      dest_address: [
        { dest_flag: 1, dest_addr_ton: 1, dest_addr_npi: 1, destination_addr: '234' },
        { dest_flag: 2, dest_addr_ton: 0, dest_addr_npi: 0, destination_addr: 'staff' },
      ],
      registered_delivery: 1,
      short_message: Buffer.from('Hi'),
      tlvs: [{ tag: TAG.user_message_reference, value: Buffer.from([1, 2]) }],
    }),
  ],
  [
    'submit_multi_resp with one that was refused',
    hex('0000001E 80000021 00000000 0000000C', '616200 01 01 01 32333400 0000000B'),
    makePdu('submit_multi_resp', {
      sequence_number: 12,
      message_id: 'ab',
      unsuccess_sme: [
        { dest_addr_ton: 1, dest_addr_npi: 1, destination_addr: '234', error_status_code: STATUS.RINVDSTADR },
      ],
    }),
  ],
  ['enquire_link', hex('00000010 00000015 00000000 00000008'), makePdu('enquire_link', { sequence_number: 8 })],
  ['unbind_resp', hex('00000010 80000006 00000000 00000009'), makePdu('unbind_resp', { sequence_number: 9 })],
  [
    'generic_nack',
    hex('00000010 80000000 00000003 0000000A'),
    makePdu('generic_nack', { sequence_number: 10, command_status: STATUS.RINVCMDID }),
  ],
  [
    'outbind',
    hex('00000017 0000000B 00000000 0000000B', '53 4D 53 00 70 77 00'),
    makePdu('outbind', { sequence_number: 11, system_id: 'SMS', password: 'pw' }),
  ],
]

describe('the specification, octet by octet', () => {
  test.each(VECTORS)('%s', (_name, octets, pdu) => {
    expect(encodePdu(pdu).toString('hex')).toBe(octets.toString('hex'))
    expect(decodePdu(octets)).toEqual(pdu)
  })

  test('encoding and decoding round-trip for every command', () => {
    const seen = new Set<CommandName>()
    fc.assert(
      fc.property(anyPdu(), (pdu) => {
        seen.add(pdu.command)
        expect(decodePdu(encodePdu(pdu))).toEqual(pdu)
      }),
      { numRuns: 2_000 },
    )
    expect(seen.size).toBe(Object.keys(COMMANDS).length)
  })
})

describe('decodes leniently', () => {
  test('an answer without a body, as after errors', () => {
    const decoded = decodePdu(hex('00000010 80000004 00000058 00000001'))
    expect(decoded).toMatchObject({ command: 'submit_sm_resp', command_status: STATUS.RTHROTTLED, message_id: '' })
  })

  test('an answer with an error and a body', () => {
    const decoded = decodePdu(hex('00000013 80000004 00000008 00000001 616200'))
    expect(decoded).toMatchObject({ command_status: STATUS.RSYSERR, message_id: 'ab' })
  })

  test('an id without its NUL', () => {
    expect(decodePdu(hex('00000012 80000004 00000000 00000001 6162'))).toMatchObject({ message_id: 'ab' })
  })

  test('an answer with TLVs that are cut off', () => {
    const decoded = decodePdu(hex('00000018 80000004 00000000 00000001 616200 0424 0009 41'))
    expect(decoded).toMatchObject({ message_id: 'ab', tlvs: [] })
  })

  test('a deliver_sm_resp with and without its empty id', () => {
    expect(decodePdu(hex('00000010 80000005 00000000 00000001'))).toMatchObject({ message_id: '' })
    expect(decodePdu(hex('00000011 80000005 00000000 00000001 00'))).toMatchObject({ message_id: '' })
  })

  test('an octet too many', () => {
    const octets = encodePdu(makePdu('deliver_sm', { source_addr: '234', short_message: Buffer.from('hi') }))
    const longer = Buffer.concat([octets, Buffer.from([0])])
    longer.writeUInt32BE(longer.length, 0)
    expect(decodePdu(longer)).toMatchObject({ command: 'deliver_sm', short_message: Buffer.from('hi'), tlvs: [] })
  })

  test('unknown and repeated TLVs', () => {
    const tlvs = [
      { tag: 0x1400, value: Buffer.from('vendor') },
      { tag: 0x1400, value: Buffer.from('again') },
      { tag: 0xffff, value: Buffer.alloc(0) },
    ]
    const decoded = decodePdu(encodePdu(makePdu('deliver_sm', { tlvs }))) as Pdu
    expect(decoded.tlvs).toEqual(tlvs)
    expect(findTlv(decoded, 0x1400)?.toString()).toBe('vendor')
  })
})

describe('reports faults', () => {
  test.each([
    ['bad_length', hex('00000010'), null, STATUS.RINVCMDLEN],
    ['bad_length', hex('00000011 00000015 00000000 00000001'), null, STATUS.RINVCMDLEN],
    ['unknown_command', hex('00000010 00000077 00000000 00000001'), null, STATUS.RINVCMDID],
    ['short_body', hex('00000011 00000005 00000000 00000001 00'), 'deliver_sm', STATUS.RINVCMDLEN],
    ['short_body', hex('00000012 0000000B 00000000 00000001 4142'), 'outbind', STATUS.RINVCMDLEN],
    [
      'bad_dest_flag',
      hex('00000017 00000021 00000000 00000001 00 00 00 00 01 03 00'),
      'submit_multi',
      STATUS.RINVDESTFLAG,
    ],
    [
      'short_body',
      hex('00000018 00000021 00000000 00000001 00 00 00 00 02 01 01 01'),
      'submit_multi',
      STATUS.RINVCMDLEN,
    ],
    ['bad_tlv', hex('00000015 00000015 00000000 00000001 0424 0009 41'), 'enquire_link', STATUS.RINVOPTPARSTREAM],
  ])('%s', (fault, octets, command, command_status) => {
    expect(decodePdu(octets)).toMatchObject({ fault, command, command_status })
  })

  test.each([
    ['a text too long', { source_addr: '1'.repeat(21) }],
    ['a NUL in a text', { source_addr: 'A\0B' }],
    ['a character without an octet', { source_addr: 'Naira ₦' }],
    ['a number that is no octet', { esm_class: 256 }],
    ['a negative number', { esm_class: -1 }],
    ['a short message too long', { short_message: Buffer.alloc(256) }],
    ['a tag of three octets', { tlvs: [{ tag: 0x10000, value: Buffer.alloc(1) }] }],
    ['more than a PDU may have', { tlvs: [{ tag: 1, value: Buffer.alloc(65_530) }] }],
  ])('when encoding: %s', (_name, wish) => {
    expect(() => encodePdu(makePdu('submit_sm', wish))).toThrow(UnsendablePdu)
  })

  test.each([
    ['too many', Array.from({ length: 256 }, () => ({}))],
    ['an address too long', [{ destination_addr: '1'.repeat(21) }]],
    ['a flag that is no octet', [{ dest_flag: 256 }]],
  ])('when encoding destinations: %s', (_name, wishes) => {
    const blank = { dest_flag: 1, dest_addr_ton: 1, dest_addr_npi: 1, destination_addr: '1' }
    const dest_address = wishes.map((wish) => ({ ...blank, ...wish }))
    expect(() => encodePdu(makePdu('submit_multi', { dest_address }))).toThrow(UnsendablePdu)
  })

  test('statuses by name, vendor-specific ones by number', () => {
    expect(statusName(0x58)).toBe('RTHROTTLED')
    expect(statusName(0x40b)).toBe('0x0000040b')
  })
})
