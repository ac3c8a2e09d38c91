import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { BASIC, EXTENSION } from '../../values/sms/page-form.ts'
import { decodeText } from './decode-text.ts'
import { encodeText, type TextSegment } from './encode-text.ts'
import type { TextProfile } from './page-form.ts'
import { decodeGsm, encodeGsm, packSeptets, unpackSeptets } from './gsm7.ts'
import { makePdu, TAG } from './pdu.ts'

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex')
const ALPHABETS = ['gsm7', 'latin1', 'ascii', 'gsm7-packed'] as const
const LONG = ['udh8', 'udh16', 'sar', 'payload'] as const

const GSM_LETTERS = (BASIC + EXTENSION).split('')
const gsmText = (maxLength: number) => fc.string({ unit: fc.constantFrom(...GSM_LETTERS), maxLength })
const anyText = (maxLength: number) =>
  fc.oneof(gsmText(maxLength), fc.string({ unit: 'grapheme', maxLength }), fc.string({ unit: 'binary', maxLength }))

const decodeSegment = (segment: TextSegment, alphabet: TextProfile['alphabet']) =>
  decodeText(makePdu('deliver_sm', { ...segment }), alphabet)

describe('GSM 03.38', () => {
  test('has its characters at their codes', () => {
    expect(encodeGsm('@£Δ_É !Aaà')).toEqual(hex('00 01 10 11 1f 20 21 41 61 7f'))
    expect(encodeGsm('\f^{}\\[~]|€')).toEqual(hex('1b0a 1b14 1b28 1b29 1b2f 1b3c 1b3d 1b3e 1b40 1b65'))
    expect(encodeGsm('₦')).toBeNull()
    expect(encodeGsm('ç')).toBeNull()
  })

  test('packs septets by the specification', () => {
    expect(packSeptets(encodeGsm('hello')!)).toEqual(hex('e8329bfd06'))
    expect(packSeptets(encodeGsm('hellohello')!)).toEqual(hex('e8329bfd4697d9ec37'))
    // Seven characters leave seven bits, which hold a carriage return.
    expect(packSeptets(encodeGsm('1234567')!)).toEqual(hex('31d98c56b3dd1a'))
    expect(decodeGsm(unpackSeptets(hex('31d98c56b3dd1a')))).toBe('1234567')
    expect(decodeGsm(unpackSeptets(hex('31d98c56b3dd00')))).toBe('1234567')
  })

  test('unpacks what it packs, after a header of any length', () => {
    fc.assert(
      fc.property(gsmText(200), fc.integer({ min: 0, max: 6 }), (text, fill_bits) => {
        fc.pre(!/[@\r]$/.test(text)) // A last one of these cannot be distinguished from padding.
        expect(decodeGsm(unpackSeptets(packSeptets(encodeGsm(text)!, fill_bits), fill_bits))).toBe(text)
      }),
    )
  })

  test('decodes arbitrary octets', () => {
    fc.assert(fc.property(fc.uint8Array(), (octets) => typeof decodeGsm(octets) === 'string'))
    expect(decodeGsm(hex('1b'))).toBe('')
    expect(decodeGsm(hex('1b41'))).toBe('A')
  })
})

describe('a text', () => {
  test('round-trips through its segments, in every alphabet and numbering', () => {
    fc.assert(
      fc.property(
        anyText(600),
        fc.constantFrom(...ALPHABETS),
        fc.constantFrom(...LONG),
        fc.integer({ min: 0, max: 70_000 }),
        (text, alphabet, long, reference) => {
          fc.pre(alphabet !== 'gsm7-packed' || !/[@\r]/.test(text))
          const segments = encodeText(text, { alphabet, long }, reference).map((segment) =>
            decodeSegment(segment, alphabet),
          )
          expect(segments.map((segment) => segment.text).join('')).toBe(text)
          const wrapped = reference % (long === 'udh8' ? 0x100 : 0x10000)
          const total = segments.length
          const places = segments.map((_segment, n) =>
            total === 1 ? null : { reference: wrapped, total, segment: n + 1 },
          )
          expect(segments.map((segment) => segment.concatenation)).toEqual(places)
        },
      ),
      { numRuns: 400 },
    )
  })

  test.each([
    ['gsm7', 'udh8', 'a'.repeat(161), [159, 14]],
    ['gsm7', 'udh16', 'a'.repeat(161), [159, 16]],
    ['gsm7', 'sar', 'a'.repeat(161), [153, 8]],
    ['gsm7-packed', 'udh8', 'a'.repeat(161), [140, 14]],
    ['gsm7', 'udh8', 'a'.repeat(152) + '€'.repeat(5), [158, 16]],
    ['gsm7', 'udh8', '₦'.repeat(71), [140, 14]],
    ['gsm7', 'udh16', '₦'.repeat(71), [139, 17]],
    ['gsm7', 'udh8', 'x'.repeat(66) + '😀'.repeat(3), [138, 18]],
    ['latin1', 'udh8', 'é'.repeat(160), [160]],
  ] as const)('%s, %s: has segments of the right size (%#)', (alphabet, long, text, sizes) => {
    expect(encodeText(text, { alphabet, long }, 1).map((segment) => segment.short_message.length)).toEqual(sizes)
  })

  test('sets data_coding', () => {
    const codings = (text: string, profile: Partial<TextProfile>) =>
      encodeText(text, { alphabet: 'gsm7', long: 'udh8', ...profile }, 1)[0]!.data_coding
    expect(codings('plain', {})).toBe(0)
    expect(codings('₦5', {})).toBe(8)
    expect(codings('plain', { flash: true })).toBe(0x10)
    expect(codings('₦5', { flash: true })).toBe(0x18)
    // GSM has Δ, the carrier's default alphabet has not.
    expect(codings('Δ', { alphabet: 'latin1' })).toBe(8)
    expect(codings('é', { alphabet: 'ascii' })).toBe(8)
  })

  test('is sent in message_payload only if long', () => {
    const [segment, ...others] = encodeText('a'.repeat(200), { alphabet: 'gsm7', long: 'payload' }, 1)
    expect(others).toEqual([])
    expect(segment).toMatchObject({ short_message: Buffer.alloc(0), tlvs: [{ tag: TAG.message_payload }] })
    expect(segment?.tlvs[0]?.value).toHaveLength(200)
    expect(encodeText('short', { alphabet: 'gsm7', long: 'payload' }, 1)[0]?.tlvs).toEqual([])
  })

  test('with more than 255 segments is refused, not truncated', () => {
    expect(() => encodeText('a'.repeat(153 * 256), { alphabet: 'gsm7', long: 'udh8' }, 1)).toThrow(RangeError)
  })
})

describe('a text from a handset', () => {
  const read = (octets: string, data_coding: number, esm_class = 0, alphabet: TextProfile['alphabet'] = 'gsm7') =>
    decodeText(makePdu('deliver_sm', { short_message: hex(octets), data_coding, esm_class }), alphabet)

  test.each([
    ['UCS-2', '20a6 0035', 8, '₦5'],
    ['UCS-2 with half a character', '20a6 00', 8, '₦'],
    ['Latin-1', 'e9', 3, 'é'],
    ['ASCII', '40', 1, '@'],
    ['ASCII that is GSM', '00 1b65', 1, '@€'],
    ['GSM', '00', 0, '@'],
    ['GSM that is Latin-1', 'c7e9', 0, 'Çé'],
    ['Cyrillic', 'b0', 6, 'А'],
    ['Hebrew', 'e0', 7, 'א'],
    ['class 0', '00', 0x10, '@'],
    ['class 0, UCS-2', '0041', 0x18, 'A'],
    ['class 1 of the other group', '00', 0xf1, '@'],
    ['a waiting indication', '41', 0xc8, 'A'],
    ['a waiting indication, UCS-2', '0041', 0xe8, 'A'],
  ])('in %s', (_name, octets, data_coding, text) => {
    expect(read(octets, data_coding)).toEqual({ text, concatenation: null, binary: false })
  })

  test.each([2, 4, 0x14, 0xf5])('that is none (%i) is kept as hex', (data_coding) => {
    expect(read('00ff', data_coding)).toMatchObject({ text: '00ff', binary: true })
  })

  test('with a header has its segment number', () => {
    expect(read('050003 2a 02 01 41', 0, 0x40).concatenation).toEqual({ reference: 0x2a, total: 2, segment: 1 })
    expect(read('060804 012a 03 03 41', 0, 0x40).concatenation).toEqual({ reference: 0x12a, total: 3, segment: 3 })
    // Ports before, an unknown element after.
    expect(read('0e 05040b8423f0 0003 07 02 02 7001 00 41', 0, 0x40)).toMatchObject({
      text: 'A',
      concatenation: { reference: 7, total: 2, segment: 2 },
    })
  })

  test.each([
    ['segment 0', '050003 2a 02 00 41'],
    ['segment 3 of 2', '050003 2a 02 03 41'],
    ['none of none', '050003 2a 00 00 41'],
    ['an element that runs out', '020003 41'],
  ])('with an invalid header is a separate text: %s', (_name, octets) => {
    expect(read(octets, 0, 0x40)).toMatchObject({ text: 'A', concatenation: null })
  })

  test('with a header longer than itself is decoded whole', () => {
    expect(read('41', 0, 0x40)).toMatchObject({ text: 'A', concatenation: null })
  })

  test.each([
    ['Turkish locking', '03 250101 04 07 0b 0c 1c 1d 40 60', '€ıĞğŞşİç'],
    ['Turkish single', '03 240101 1b47 1b49 1b53 1b63 1b67 1b69 1b73 1b65', 'ĞİŞçğış€'],
    ['Spanish single', '03 240102 1b09 1b41 1b49 1b4f 1b55 1b61 1b69 1b6f 1b75', 'çÁÍÓÚáíóú'],
    ['Portuguese single', '03 240103 1b05 1b5b 1b7b 1b7f', 'êÃãâ'],
    ['Portuguese locking', '03 250103 04 09 12 40 5b 7b 7c', 'êçªÍÃãõ'],
    ['a language we do not know', '03 250109 41', 'A'],
  ])('with national tables: %s', (_name, octets, text) => {
    expect(read(octets, 0, 0x40).text).toBe(text)
  })

  test('with national tables, packed', () => {
    const header = hex('03250101')
    const octets = Buffer.concat([header, packSeptets(hex('04070b'), 3)])
    const sm = makePdu('deliver_sm', { short_message: octets, esm_class: 0x40 })
    expect(decodeText(sm, 'gsm7-packed').text).toBe('€ıĞ')
  })

  test('of arbitrary octets never throws', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 255 }),
        fc.integer({ min: 0, max: 255 }),
        fc.integer({ min: 0, max: 255 }),
        fc.constantFrom(...ALPHABETS),
        (octets, data_coding, esm_class, alphabet) => {
          const sm = makePdu('deliver_sm', { short_message: Buffer.from(octets), data_coding, esm_class })
          expect(typeof decodeText(sm, alphabet).text).toBe('string')
        },
      ),
      { numRuns: 1_000 },
    )
  })
})
