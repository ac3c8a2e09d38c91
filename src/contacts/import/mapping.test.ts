import { expect, test } from 'vitest'
import { dialPlan } from '../../values/phone/phone.ts'
import type { Fault } from '../../values/refusal.ts'
import { mapFields, type MappingOptions } from './mapping.ts'

const table = {
  organisation_id: '',
  columns: [],
  column_of: new Map(),
  plan: dialPlan('NG'),
  country: 'NG',
  version: 0,
  shown: { id: '', columns: [], created_datetime: '' },
}
const named = (count: number) => Array.from({ length: count }, (_, n) => `Header ${n}`)

/** What becomes of the headers, and how many values were read for it. */
function map(headers: readonly string[], options: MappingOptions) {
  const faults: Fault[] = []
  let read = 0
  const sample = new Proxy([] as string[], {
    get: (_, key) => {
      if (typeof key === 'string') read += 1
      return '5'
    },
  })
  const fields = mapFields(table, headers, [sample], options, faults)
  return { fields, faults: faults.map(({ field, type }) => `${field} ${type}`), read }
}

test('a new column has the type of its values', () => {
  expect(map(named(2), {})).toEqual({
    fields: named(2).map((header) => ({ header, name: header, type: 'NUMBER', format: '1,234.5', is_new: true })),
    faults: [],
    read: 2,
  })
})

test('what would be too many columns is refused without a look at the values', () => {
  expect(map(named(101), {})).toMatchObject({ faults: ['mapping less_than_equal'], read: 0 })
})

test('headers are found by their names in any case, the first of two, however many there are', () => {
  const headers = [...named(998), ' header 7 ', 'é']
  const left_out = Object.fromEntries(named(998).map((header) => [header.toUpperCase(), null]))
  const mapping = { ...left_out, 'HEADER 7': '*', 'e\u0301': '*', none: '' }
  const { fields, faults } = map(headers, { mapping, new_columns: false })
  expect(faults).toEqual(['mapping.none invalid'])
  expect(fields.flatMap(({ is_new }, n) => (is_new ? [n] : []))).toEqual([7, 999])
})
