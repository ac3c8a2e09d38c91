import { describe, expect, test } from 'vitest'
import { readPrefixTable } from '../../numbers/prefix-table.ts'
import { guessDateOrder, makeReadCountry, readDate, readNetworks, readPrefixes, readPrice } from './cells.ts'

const fault = { fault: expect.any(String) }

test.each([
  ['234803', ['234803']],
  ['234 803', ['234803']],
  ['+234-803*', ['234803']],
  ['00234803', ['234803']],
  ['="234803"', ['234803']],
  ['234803; 234806 ,234810', ['234803', '234806', '234810']],
  ['', []],
])('the prefixes %s', (text, prefixes) => {
  expect(readPrefixes(text)).toEqual({ value: prefixes })
})

test.each(['2.34803E+05', '0803', 'Lagos', '1234567890123456', '234803;x', '9,'.repeat(101)])(
  '%s is no prefix',
  (text) => {
    expect(readPrefixes(text)).toEqual(fault)
  },
)

test.each([
  ['62130', ['621-30']],
  ['6213', ['621-3']],
  ['621-30', ['621-30']],
  ['621 030', ['621-030']],
  ['"62130"', ['621-30']],
  ['310.260', ['310-260']],
  ['621-30/50', ['621-30', '621-50']],
  ['62130; 62150', ['621-30', '621-50']],
  ['621-30..33', ['621-30', '621-31', '621-32', '621-33']],
  ['62130-62132', ['621-30', '621-31', '621-32']],
  ['234-08-10', ['234-08', '234-09', '234-10']],
  ['', []],
])('the networks %s', (text, networks) => {
  const read = readNetworks(text)
  expect('value' in read ? read.value.map(({ mcc, mnc }) => `${mcc}-${mnc}`) : read).toEqual(networks)
})

test.each(['MTN', '30', '621-30..20', '310-000..999', '6,2130', '62130x'])('%s is no network', (text) => {
  expect(readNetworks(text)).toEqual(fault)
})

test.each([
  ['4', 40_000n],
  ['4.50', 45_000n],
  ['0,0385', 385n],
  ['1.234,56', 12_345_600n],
  ['1,234.56', 12_345_600n],
  ['1 234,5', 12_345_000n],
  ["1'234.5", 12_345_000n],
  ['NGN 4.20', 42_000n],
  ['€0.0400', 400n],
  ['4.20000', 42_000n],
  ['0', 0n],
])('the price %s', (text, price) => {
  expect(readPrice(text)).toEqual({ value: price })
})

test.each(['', 'free', '-4', '0.00385', '1000001', '4.5.6', '1e3', '9'.repeat(40)])('%s is no price', (text) => {
  expect(readPrice(text)).toEqual(fault)
})

describe('dates', () => {
  const day = Date.parse('2026-12-01T00:00:00Z')
  test.each([
    ['2026-12-01', undefined, day],
    ['2026/12/1', undefined, day],
    ['2026-12-01 00:00:00', undefined, day],
    ['2026-12-01T00:00:00+01:00', undefined, day - 3_600_000],
    ['1-Dec-2026', undefined, day],
    ['01 December 2026', undefined, day],
    ['01.12.2026', undefined, day],
    ['01/12/2026', 'dmy', day],
    ['12/01/2026', 'mdy', day],
  ] as const)('%s (%s)', (text, order, at) => {
    expect(readDate(text, order)).toEqual({ value: at })
  })

  test.each([
    ['01/12/2026', undefined],
    ['2026-02-30', undefined],
    ['31/02/2026', 'dmy'],
    ['13/13/2026', 'mdy'],
    ['soon', undefined],
    ['46357', undefined],
  ] as const)('%s (%s) is no date', (text, order) => {
    expect(readDate(text, order)).toEqual(fault)
  })

  test('show their order where a day is beyond twelve', () => {
    expect(guessDateOrder(['01/02/2026', '15/02/2026'])).toBe('dmy')
    expect(guessDateOrder(['01/02/2026', '02/15/2026'])).toBe('mdy')
    expect(guessDateOrder(['01/02/2026', '2026-02-15'])).toBeUndefined()
  })
})

test.each([
  ['NG', 'NG'],
  ['ng', 'NG'],
  ['Nigeria', 'NG'],
  ['NIGERIA - MTN', 'NG'],
  ["Cote d'Ivoire", 'CI'],
  ['Côte d’Ivoire', 'CI'],
  ['United Kingdom (mobile)', 'GB'],
  ['USA', 'US'],
  ['Congo, Democratic Republic', 'CD'],
  ['Atlantis', undefined],
  ['ZZ', undefined],
])('the country %s', (text, country) => {
  expect(makeReadCountry(readPrefixTable())(text)).toBe(country)
})
