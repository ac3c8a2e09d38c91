import { expect, test } from 'vitest'
import { countryName, makeSpellOperator } from './operator-name.ts'
import { readPrefixTable } from './prefix-table.ts'

const spell = makeSpellOperator(readPrefixTable())

test.each([
  ['mtn', 'NG', 'MTN'],
  ['MTN Nigeria Communications PLC', 'NG', 'MTN'],
  ['62130', 'NG', 'MTN'],
  ['ETISALAT', 'NG', '9mobile'],
  ['T2', 'NG', '9mobile'],
  ['Globacom Ltd', 'NG', 'Glo'],
  ['Airtel Nigeria', 'NG', 'Airtel'],
  ['ntel', 'NG', 'NTEL'],
  ['SAFARICOM PLC', 'KE', 'Safaricom'],
  ['airtel  Kenya', 'KE', 'Airtel'],
  ['Brand New', 'KE', 'Brand New'],
  [' Some\tbody\u0000 ', 'KE', 'Some body'],
  ['62130', 'KE', '62130'],
  ['', 'NG', ''],
])('%s in %s is spelled %s', (given, country, expected) => {
  expect(spell(given, country)).toBe(expected)
})

test('country names are English', () => {
  expect(['NG', 'GB', 'CI', ''].map(countryName)).toEqual(['Nigeria', 'United Kingdom', 'Côte d’Ivoire', ''])
})
