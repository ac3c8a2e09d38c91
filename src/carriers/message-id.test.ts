import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { keptId, meantIds, modeBetween } from './message-id.ts'

describe('the id of a report', () => {
  test.each([
    ['raw', 'abc-DEF', 'abc-DEF'],
    ['folded', 'ABC1', 'abc1'],
    ['without its zeros', '000123', '123'],
    ['with more zeros', '7b', '0000007B'],
    ['in decimal where the answer was in hexadecimal', '7B', '123'],
    ['in hexadecimal where the answer was in decimal', '123', '7b'],
    ['longer than a double holds', '9380935605053030457', '822FC73B00000039'],
    ['longer than a double holds, the other way', '822FC73B00000039', '9380935605053030457'],
    ['zero', '0', '000'],
  ])('matches the id of the answer: %s', (_, answered, reported) => {
    expect(meantIds(reported, 'auto')).toContain(keptId(answered))
  })

  test('is read in the configured mode only', () => {
    expect(meantIds('123', 'raw')).toEqual(['123'])
    expect(meantIds('123', 'resp_hex_dlr_dec')).toEqual(['7b'])
    expect(meantIds('7b', 'resp_dec_dlr_hex')).toEqual(['123'])
    expect(meantIds('no-number', 'resp_hex_dlr_dec')).toEqual(['no-number'])
  })

  test('is read in the learned mode first', () => {
    expect(meantIds('123', 'auto')).toEqual(['123', '7b', '291'])
    expect(meantIds('123', 'auto', 'resp_hex_dlr_dec')).toEqual(['7b', '123', '291'])
  })

  test('determines the mode unless several would match', () => {
    expect(modeBetween('123', '7b')).toBe('resp_hex_dlr_dec')
    expect(modeBetween('7b', '123')).toBe('resp_dec_dlr_hex')
    expect(modeBetween('123', '123')).toBe('raw')
    expect(modeBetween('a-b', 'a-b')).toBeUndefined()
    expect(modeBetween('7', '7')).toBeUndefined() // the same in every way
  })

  test('matches any number in either mode, in any case and with any leading zeros', () => {
    const number = fc.bigInt({ min: 0n, max: 2n ** 100n })
    fc.assert(
      fc.property(number, fc.boolean(), fc.boolean(), fc.nat(6), (n, hex_first, upper, zeros) => {
        const [first, second] = hex_first ? [n.toString(16), n.toString()] : [n.toString(), n.toString(16)]
        const reported = '0'.repeat(zeros) + (upper ? second.toUpperCase() : second)
        expect(meantIds(reported, 'auto')).toContain(keptId(first))
      }),
    )
  })
})
