import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { optional } from './json-fields.ts'

test('a field is written as JSON has it, whatever is in it', () => {
  const anything = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary-ascii' }), fc.jsonValue())
  fc.assert(
    fc.property(
      anything.filter((value) => value !== null),
      (value) => {
        expect(`{"a":1${optional('b', value)}}`).toBe(JSON.stringify({ a: 1, b: value }))
      },
    ),
    { numRuns: 2_000 },
  )
})

test.each(['"', '\\', '\n', '\u007f', '\u0000', 'é', '\u2028', ''])('%j among plain characters', (one) => {
  expect(optional('b', `x${one}y`)).toBe(`,"b":${JSON.stringify(`x${one}y`)}`)
})

test.each([null, undefined])('a field without a value (%s) is left out', (value) => {
  expect(optional('b', value)).toBe('')
})
