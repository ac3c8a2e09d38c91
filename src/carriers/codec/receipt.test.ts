import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { makePdu, TAG, type Tlv } from './pdu.ts'
import { readReceipt } from './receipt.ts'

const report = (text: string, esm_class = 4, tlvs: Tlv[] = []) =>
  readReceipt(makePdu('deliver_sm', { esm_class, short_message: Buffer.from(text, 'latin1'), tlvs }))

const BOOK =
  'id:0123456789 sub:001 dlvrd:001 submit date:2601151200 done date:2601151201 stat:DELIVRD err:000 text:Your code is'

describe('a report', () => {
  test('in the standard format', () => {
    expect(report(BOOK)).toEqual({
      message_id: '0123456789',
      state: 'delivered',
      final: true,
      stat: 'DELIVRD',
      code: '000',
      submit_date: '2601151200',
      done_date: '2601151201',
    })
  })

  test.each([
    ['another order and case', 'STAT:UNDELIV ID:ab-1 Err:0C1 Done Date:260115120100', 'ab-1', 'undelivered', '0C1'],
    ['underscores', 'id:7 submit_date:2601151200 done_date:2601151201 stat:EXPIRED err:1', '7', 'expired', '1'],
    ['spaces after the colons', 'id: 7 stat: REJECTD err: 8', '7', 'rejected', '8'],
    ['commas', 'id:7,stat:DELETED,err:3', '7', 'deleted', '3'],
    ['no err', 'id:9380935605053030457 stat:FAILED', '9380935605053030457', 'undelivered', null],
    ['a customer who quotes', 'id:7 stat:UNDELIV err:1 text:id:8 stat:DELIVRD err:0', '7', 'undelivered', '1'],
    ['the text first', 'text:hello id:7 stat:DELIVRD', '7', 'delivered', null],
    ['the number of the state', 'id:7 stat:2', '7', 'delivered', null],
    ['a NUL at its end', 'id:7 stat:DELIVRD err:000\0', '7', 'delivered', '000'],
    ['a NUL after each', 'id:7\0 stat:DELIVRD\0 err:8\0', '7', 'delivered', '8'],
  ])('with %s', (_name, text, message_id, state, code) => {
    expect(report(text)).toMatchObject({ message_id, state, code })
  })

  test.each([
    ['DELIVERED', 'delivered', true],
    ['UNDELIVERABLE', 'undelivered', true],
    ['EXPIRED', 'expired', true],
    ['REJECTED', 'rejected', true],
    ['DELETED', 'deleted', true],
    ['UNKNOWN', 'unknown', true],
    ['ACCEPTD', 'in_transit', false],
    ['ENROUTE', 'in_transit', false],
    ['BUFFRED', 'in_transit', false],
    ['BUFFERD', 'in_transit', false],
    ['ACKED', 'in_transit', false],
    ['SOMETHING', 'unknown', false],
  ])('with stat %s is %s', (stat, state, final) => {
    expect(report(`id:1 stat:${stat}`)).toMatchObject({ state, final, stat })
  })

  test('prefers its TLVs over its text', () => {
    const tlvs = [
      { tag: TAG.receipted_message_id, value: Buffer.from('7F3A\0') },
      { tag: TAG.message_state, value: Buffer.from([5]) },
      { tag: TAG.network_error_code, value: Buffer.from([3, 0x01, 0x02]) },
    ]
    expect(report(BOOK, 4, tlvs)).toMatchObject({ message_id: '7F3A', state: 'undelivered', code: '258' })
    expect(report('', 4, tlvs)).toMatchObject({
      message_id: '7F3A',
      state: 'undelivered',
      stat: 'UNDELIV',
      code: '258',
    })
    // Without the flag, and in a data_sm.
    expect(report('', 0, tlvs)).toMatchObject({ message_id: '7F3A' })
    expect(readReceipt(makePdu('data_sm', { esm_class: 4, tlvs }))).toMatchObject({ message_id: '7F3A' })
  })

  test('reads TLVs as some SMSCs write them', () => {
    const tlv = (tag: number, value: Buffer | string) => [{ tag, value: Buffer.from(value) }]
    expect(report('', 4, tlv(TAG.message_state, '2'))).toMatchObject({ state: 'delivered' })
    expect(report('', 4, tlv(TAG.network_error_code, '017'))).toMatchObject({ code: '17' })
    expect(report(BOOK, 4, tlv(TAG.receipted_message_id, '\0'))).toMatchObject({ message_id: '0123456789' })
    expect(report('id:1 err:21 stat:UNDELIV', 4, tlv(TAG.network_error_code, Buffer.from([3, 0, 0])))).toMatchObject({
      code: '21',
    })
  })

  test('is read from the payload, and in UCS-2', () => {
    const payload = makePdu('deliver_sm', {
      esm_class: 4,
      tlvs: [{ tag: TAG.message_payload, value: Buffer.from(BOOK) }],
    })
    expect(readReceipt(payload)).toMatchObject({ message_id: '0123456789' })
    const wide = Buffer.from(BOOK, 'utf16le').swap16()
    expect(readReceipt(makePdu('deliver_sm', { esm_class: 4, data_coding: 8, short_message: wide }))).toMatchObject({
      message_id: '0123456789',
      state: 'delivered',
    })
  })

  test('without the flag is detected by its text', () => {
    expect(report(BOOK, 0)).toMatchObject({ message_id: '0123456789', state: 'delivered' })
    expect(report('id:7 stat:whatever done date:1', 0)).toBeNull()
    expect(report('My id: 7, the stat: DELIVRD', 0)).toBeNull()
    expect(report('STOP', 0)).toBeNull()
  })

  test('with the flag and without fields is still a report', () => {
    expect(report('')).toMatchObject({ message_id: null, state: 'unknown', final: false, stat: '' })
  })

  test('that is intermediate is final only if delivered', () => {
    expect(report('id:1 stat:UNDELIV err:1', 0x20)).toMatchObject({
      state: 'in_transit',
      final: false,
      stat: 'UNDELIV',
    })
    expect(report('id:1 stat:DELIVRD', 0x20)).toMatchObject({ state: 'delivered', final: true })
  })

  test('of arbitrary octets never throws', () => {
    const octets = fc.uint8Array({ maxLength: 250 }).map((bytes) => Buffer.from(bytes))
    const tlvs = fc.array(fc.record({ tag: fc.constantFrom(...Object.values(TAG)), value: octets }), { maxLength: 4 })
    const octet = fc.integer({ min: 0, max: 255 })
    fc.assert(
      fc.property(octets, octet, octet, tlvs, (short_message, esm_class, data_coding, list) => {
        const receipt = readReceipt(makePdu('deliver_sm', { short_message, esm_class, data_coding, tlvs: list }))
        expect(receipt === null || typeof receipt.state === 'string').toBe(true)
      }),
      { numRuns: 1_000 },
    )
  })
})
