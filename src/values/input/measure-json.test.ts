import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MAX_DEPTH, MAX_ITEMS, MAX_KEYS, MAX_VALUES, measureJson } from './measure-json.ts'

const listOf = (items: number, item = '1'): string => `[${Array.from({ length: items }, () => item).join(',')}]`
const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels)
const objectOf = (keys: number): string => `{${Array.from({ length: keys }, (_, n) => `"k${n}":1`).join(',')}}`

describe('the measure of JSON text', () => {
  test('lets through what is at the bounds', () => {
    for (const text of ['', '{}', '1', listOf(MAX_ITEMS), objectOf(MAX_KEYS), nested(MAX_DEPTH)]) {
      expect(measureJson(text)).toBeUndefined()
    }
  })

  test('refuses one more of each', () => {
    expect(measureJson(listOf(MAX_ITEMS + 1))).toMatchObject({ field: 'body', type: 'less_than_equal' })
    expect(measureJson(objectOf(MAX_KEYS + 1))).toMatchObject({ field: 'body', type: 'less_than_equal' })
    expect(measureJson(nested(MAX_DEPTH + 1))).toMatchObject({ field: 'body', type: 'invalid' })
    const full = listOf(MAX_VALUES / MAX_ITEMS + 1, listOf(MAX_ITEMS))
    expect(measureJson(full)).toMatchObject({ field: 'body', type: 'less_than_equal' })
  })

  test('names the place as the caller wrote it', () => {
    const long = listOf(MAX_ITEMS + 1)
    expect(measureJson(`{"recipients": ${long}}`)?.field).toBe('recipients')
    expect(measureJson(`{"x": 1, "rows": [{}, {"columns": {"a": ${long}}}]}`)?.field).toBe('rows[1].columns.a')
    expect(measureJson(`[[1], ${long}]`)?.field).toBe('[1]')
    expect(measureJson(`{"${'n'.repeat(500)}": ${long}}`)?.field).toBe('n'.repeat(100))
  })

  test('ignores brackets in strings', () => {
    const strange = JSON.stringify({ text: `${'[{,'.repeat(20_000)}"\\`, end: '\\"' })
    expect(measureJson(strange)).toBeUndefined()
    expect(measureJson(`{"a": "${'\\\\'.repeat(500)}", "b": ${listOf(MAX_ITEMS + 1)}}`)?.field).toBe('b')
  })

  test('finds the end of any string', () => {
    const part = fc.constantFrom('\\"', '\\\\', 'x', '\\u0022', '[', ',')
    fc.assert(
      fc.property(fc.array(part, { maxLength: 500 }), (parts) => {
        const text = `{"a": "${parts.join('')}", "b": ${listOf(MAX_ITEMS + 1)}}`
        expect(measureJson(text)?.field).toBe('b')
      }),
      { numRuns: 50 },
    )
  })

  test('takes any text, JSON or not', () => {
    const part = fc.constantFrom('[', ']', '{', '}', ',', '"', '\\', '1', ' ')
    fc.assert(
      fc.property(fc.array(part, { minLength: 130, maxLength: 400 }), (parts) => {
        expect(measureJson(parts.join(''))?.type).not.toBe('json_invalid')
      }),
    )
  })

  test('refuses no ordinary JSON', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 12, noUnicodeString: false }), (text) => {
        expect(measureJson(text + ' '.repeat(2 * MAX_DEPTH))).toBeUndefined()
      }),
    )
  })
})
