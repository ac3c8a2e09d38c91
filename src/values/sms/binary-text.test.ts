import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { countPages, isNumbered, isSeptets, readBinary, readTags, splitBinary, writeBinary } from './binary-text.ts'

const octets = (maxLength: number) => fc.uint8Array({ maxLength }).map((bytes) => Buffer.from(bytes))
const element = fc.tuple(fc.integer({ min: 0x10, max: 0x6f }), octets(12))
const header = fc.array(element, { maxLength: 4 }).map((elements) => {
  const body = Buffer.concat(elements.map(([tag, value]) => Buffer.concat([Buffer.from([tag, value.length]), value])))
  return body.length === 0 ? body : Buffer.concat([Buffer.from([body.length]), body])
})
/** Letters, and signs of the extension table, which are two septets. */
const septets = fc
  .array(fc.constantFrom([0x61], [0x1b, 0x65]), { maxLength: 900 })
  .map((characters) => Buffer.from(characters.flat()))
const binary = fc.oneof(
  fc.record({ data_coding: fc.constantFrom(0x04, 0x08, 0x15), header, data: octets(900) }),
  fc.record({ data_coding: fc.constantFrom(0x00, 0x11), header, data: septets }),
)

function numberedHeader(before: Buffer, reference: number, total: number, n: number): Buffer {
  const elements = [...before.subarray(1), 0, 3, reference & 0xff, total, n]
  return Buffer.from([elements.length, ...elements])
}

test('is read as it was written', () => {
  fc.assert(
    fc.property(binary, (one) => {
      expect(readBinary(writeBinary(one))).toEqual(one)
    }),
  )
  expect(writeBinary({ data_coding: 4, header: Buffer.from([2, 0x70, 0]), data: Buffer.alloc(0) })).toBe('04 027000 ')
})

test('goes in as many short messages as are counted, none longer than 140 octets, and is whole when they are joined', () => {
  fc.assert(
    fc.property(binary, fc.nat(), (one, reference) => {
      const segments = splitBinary(one, reference)
      expect(segments).toHaveLength(countPages(one))
      expect(Buffer.concat(segments.map(({ data }) => data))).toEqual(one.data)
      const is_one = segments.length === 1
      expect(segments.map(({ header: own }) => own)).toEqual(
        segments.map((_, n) => (is_one ? one.header : numberedHeader(one.header, reference, segments.length, n + 1))),
      )
      const octets_of = (data: Buffer) => (isSeptets(one.data_coding) ? Math.ceil((data.length * 7) / 8) : data.length)
      expect(segments.filter(({ header: own, data }) => own.length + octets_of(data) > 140)).toEqual([])
      const split = segments.slice(0, -1).filter(({ data }) => {
        return isSeptets(one.data_coding) ? data.at(-1) === 0x1b : one.data_coding === 0x08 && data.length % 2 > 0
      })
      expect(split).toEqual([])
    }),
  )
})

test.each([
  ['050003010201', [0x00], true],
  ['06080400010201', [0x08], true],
  ['06050415820000', [0x05], false],
  ['0b0504158200000003010201', [0x05, 0x00], true],
  ['050003', undefined, false],
  ['0605041582', undefined, false],
  ['0300030102', undefined, false],
  ['', undefined, false],
])('the header %s', (hex, tags, numbered) => {
  const given = Buffer.from(hex, 'hex')
  expect(readTags(given)).toEqual(tags)
  expect(isNumbered({ header: given })).toBe(numbered)
})
