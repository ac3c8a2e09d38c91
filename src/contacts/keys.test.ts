import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { dateKey, numberKey } from './keys.ts'

const order = (a: string | undefined, b: string | undefined) =>
  Math.sign(Buffer.compare(Buffer.from(a ?? ''), Buffer.from(b ?? '')))

describe('the key of a number', () => {
  test('sorts as numbers do', () => {
    const number = fc.oneof(
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.integer({ min: -1_000, max: 1_000 }),
      fc.integer({ min: -1_000, max: 1_000 }).map((n) => n / 100),
    )
    fc.assert(
      fc.property(number, number, (a, b) => {
        expect(order(numberKey(String(a)), numberKey(String(b)))).toBe(
          Math.sign(a === b ? 0 : a - b || (a < b ? -1 : 1)),
        )
      }),
      { numRuns: 2_000 },
    )
  })

  test('is the same for the same number, exact beyond what a double holds', () => {
    expect(new Set(['1', '1.0', '+1', '01', '1e0', '0.1e1', '10e-1'].map(numberKey)).size).toBe(1)
    expect(new Set(['0', '-0', '0.00', '.0', '0e5'].map(numberKey)).size).toBe(1)
    expect(order(numberKey('99999999999999999999.1'), numberKey('99999999999999999999.2'))).toBe(-1)
    expect(order(numberKey('-99999999999999999999.1'), numberKey('-99999999999999999999.2'))).toBe(1)
  })

  test.each(['', '.', '-', '1,000', '1 000', 'x', '0x10', 'NaN', 'Infinity', '1e', '1e9999', '--1'])(
    '%j is no number',
    (text) => {
      expect(numberKey(text)).toBeUndefined()
    },
  )
})

describe('the key of a date', () => {
  test('sorts by time', () => {
    const date = fc.date({ min: new Date('0001-01-02'), max: new Date('9998-12-30'), noInvalidDate: true })
    fc.assert(
      fc.property(date, date, (a, b) => {
        expect(order(dateKey(a.toISOString()), dateKey(b.toISOString()))).toBe(Math.sign(a.getTime() - b.getTime()))
      }),
    )
  })

  test('is that of midnight for a day, and of the moment for a time with an offset', () => {
    expect(dateKey('2026-01-31')).toBe(dateKey('2026-01-31T00:00:00Z'))
    expect(dateKey('2026-01-31 01:00')).toBe(dateKey('2026-01-31T02:00:00+0100'))
  })

  test.each([
    '2026-02-29',
    '2026-13-01',
    '31/01/2026',
    '2026-1-1',
    'today',
    '2026-01-01T24:00',
    '2026-01-01T10:61',
    '',
  ])('%j is none', (text) => {
    expect(dateKey(text)).toBeUndefined()
  })
})
