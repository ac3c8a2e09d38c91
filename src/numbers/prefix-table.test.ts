import { readFileSync } from 'node:fs'
import * as fc from 'fast-check'
import examples from 'libphonenumber-js/mobile/examples'
import metadata from 'libphonenumber-js/min/metadata'
import { describe, expect, test } from 'vitest'
import { groupBy } from '../values/group.ts'
import { makePrefixTable, PREFIX_FILE, readEntries, readPrefixTable } from './prefix-table.ts'

const table = readPrefixTable()
const entries = [...readEntries(readFileSync(PREFIX_FILE, 'utf8'))]
const operators = entries.filter(({ name }) => !name.startsWith('@'))
const countries = entries.filter(({ name }) => name.startsWith('@'))

/** The plain way: look at every line, keep the longest that fits. */
function linear(lines: readonly { prefix: string; name: string }[], msisdn: string): string {
  let best = { prefix: '', name: '' }
  for (const line of lines) {
    if (msisdn.startsWith(line.prefix) && line.prefix.length >= best.prefix.length) best = line
  }
  return best.name
}

describe('the prefix table', () => {
  test('has every prefix once', () => {
    expect(operators.length).toBeGreaterThan(28_900)
    expect(new Set(operators.map(({ prefix }) => prefix)).size).toBe(operators.length)
    expect(new Set(countries.map(({ prefix }) => prefix)).size).toBe(countries.length)
  })

  // A prefix's own numbers may belong to a longer one, so the last digits differ from prefix to prefix.
  test('agrees with a linear search for every prefix', () => {
    const SAME = 3
    expect(operators.every(({ prefix }) => prefix.length >= SAME)).toBe(true)
    const by_first_digits = groupBy(operators, ({ prefix }) => prefix.slice(0, SAME))
    const wrong = operators.flatMap(({ prefix }, n) => {
      const msisdn = prefix.padEnd(12, String((n * 7_919) % 100_000).padStart(5, '0'))
      const model = linear(by_first_digits.get(prefix.slice(0, SAME)) ?? [], msisdn)
      const exact = linear(by_first_digits.get(prefix.slice(0, SAME)) ?? [], prefix)
      const found = [table.originOf(msisdn).operator, table.originOf(prefix).operator]
      return found[0] === model && found[1] === exact ? [] : [{ msisdn, found, model }]
    })
    expect(wrong).toEqual([])
  })

  test('agrees with a linear search for any number', () => {
    const number = fc.stringMatching(/^[1-9][0-9]{6,14}$/)
    const near = fc
      .tuple(fc.constantFrom(...operators), fc.stringMatching(/^[0-9]{4,8}$/))
      .map(([{ prefix }, rest]) => (prefix.slice(0, -1) + rest).slice(0, 15))
    fc.assert(
      fc.property(fc.oneof(number, near), (msisdn) => {
        const country = linear(countries, msisdn).slice(1)
        expect(table.originOf(msisdn)).toEqual({ country, operator: linear(operators, msisdn) })
      }),
      { numRuns: 300 },
    )
  })

  test.each([
    ['2348031234567', 'MTN'],
    ['2347025123456', 'MTN'],
    ['2348021234567', 'Airtel'],
    ['2348051234567', 'Glo'],
    ['2348091234567', '9mobile'],
    ['2348041234567', 'NTEL'],
    ['2347021123456', 'NTEL'],
    ['2348191234567', ''], // Starcomms is no more
    ['2348001234567', ''],
  ])("spells Nigeria's networks as the airtime list does: %s %s", (msisdn, operator) => {
    expect(table.originOf(msisdn)).toEqual({ country: 'NG', operator })
  })

  test("knows the country of every country's example of a mobile number", () => {
    const given = Object.entries(examples).map(([country, national]) => {
      const calling_code = String((metadata.countries as Record<string, readonly unknown[]>)[country]?.[0])
      return { country, msisdn: calling_code + national }
    })
    expect(given.length).toBeGreaterThan(230)
    // These share mobile ranges with the larger country beside them, and libphonenumber names that one too.
    const shared = ['AX', 'BL', 'CC', 'CX', 'EH', 'IM', 'MF', 'SJ', 'VA']
    const wrong = given.filter(({ country, msisdn }) => {
      return !shared.includes(country) && table.originOf(msisdn).country !== country
    })
    expect(wrong).toEqual([])
  })

  test('has no country for satellite phones and invalid numbers', () => {
    expect(table.originOf('881612345678').country).toBe('')
    expect(table.originOf('9999999')).toEqual({ country: '', operator: '' })
    expect(table.originOf('')).toEqual({ country: '', operator: '' })
  })
})

test('ranges keep their leading zeros, and the longest prefix wins', () => {
  const { originOf } = makePrefixTable('# date 2026-01-01\n@XX\t99\t\nOne\t99\t08-11\nTwo\t99\t091\n')
  const found = ['990712345', '990812345', '990922345', '991112345', '991212345', '990911234']
  expect(found.map((msisdn) => originOf(msisdn).operator)).toEqual(['', 'One', 'One', 'One', '', 'Two'])
})
