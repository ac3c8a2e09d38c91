import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MAX_MONEY, moneyFromNumber, moneyFromText, moneyToNumber, moneyToText } from './money.ts'

describe('moneyFromNumber', () => {
  test.each([
    [0, 0n],
    [-0, 0n],
    [1, 10_000n],
    [-1, -10_000n],
    [12.5, 125_000n],
    [0.1, 1_000n],
    [0.0001, 1n],
    [-0.0001, -1n],
    [1.005, 10_050n],
    [4.35, 43_500n],
    [1_000_000, 10_000_000_000n],
    [900_719_925_474.0991, MAX_MONEY],
    [-900_719_925_474.0991, -MAX_MONEY],
  ])('%d', (value, amount) => {
    expect(moneyFromNumber(value)).toBe(amount)
  })

  test.each([NaN, Infinity, -Infinity, 0.00001, 1.00001, 0.1 + 0.2, 1e-7, 1e21, 1e300, 900_719_925_475, -1e12])(
    'refuses %d',
    (value) => {
      expect(moneyFromNumber(value)).toBeUndefined()
    },
  )
})

describe('moneyFromText', () => {
  test.each([
    ['0', 0n],
    ['-0', 0n],
    ['1000000', 10_000_000_000n],
    ['12.5', 125_000n],
    ['+12.5000', 125_000n],
    ['-0.0001', -1n],
    ['007', 70_000n],
    ['900719925474.0991', MAX_MONEY],
  ])('%s', (text, amount) => {
    expect(moneyFromText(text)).toBe(amount)
  })

  test.each(['', ' ', '.', '.5', '5.', '1.00000', '1e3', '0x10', '1,000', '1_000', ' 1', '1\n', '--1', '₦1', '٣'])(
    'refuses %j',
    (text) => {
      expect(moneyFromText(text)).toBeUndefined()
    },
  )

  test('refuses more than MAX_MONEY, however long', () => {
    expect(moneyFromText('900719925474.0992')).toBeUndefined()
    expect(moneyFromText('9'.repeat(20))).toBeUndefined()
    expect(moneyFromText('9'.repeat(100_000))).toBeUndefined()
  })
})

test.each([
  [0n, '0'],
  [1n, '0.0001'],
  [-1n, '-0.0001'],
  [-5_000n, '-0.5'],
  [125_000n, '12.5'],
  [10_000_000_000n, '1000000'],
])('moneyToText of %d', (amount, text) => {
  expect(moneyToText(amount)).toBe(text)
})

describe('any amount', () => {
  const any_amount = fc.bigInt({ min: -MAX_MONEY, max: MAX_MONEY })
  const EXACT_IN_JSON = 10_000n * 2n ** 39n

  test('comes back from its text', () => {
    fc.assert(
      fc.property(any_amount, (amount) => {
        expect(moneyFromText(moneyToText(amount))).toBe(amount)
      }),
    )
  })

  test('comes back from its number, and JSON shows its text', () => {
    const exact = fc.oneof(
      fc.bigInt({ min: -EXACT_IN_JSON, max: EXACT_IN_JSON }),
      fc.bigInt({ min: EXACT_IN_JSON - 10_000n, max: EXACT_IN_JSON }),
      fc.bigInt({ min: -1_000_000n, max: 1_000_000n }),
    )
    fc.assert(
      fc.property(exact, (amount) => {
        const value = moneyToNumber(amount)
        expect(moneyFromNumber(value)).toBe(amount)
        expect(JSON.stringify(value)).toBe(moneyToText(amount))
      }),
      { numRuns: 1_000 },
    )
  })

  test('any number that is money comes back from its amount', () => {
    const any_value = fc.oneof(
      fc.double(),
      fc.integer(),
      any_amount.map((amount) => moneyToNumber(amount)),
    )
    fc.assert(
      fc.property(any_value, (value) => {
        const amount = moneyFromNumber(value)
        // Adding 0 makes 0 of -0.
        expect(amount === undefined ? value : moneyToNumber(amount)).toBe(value + 0)
      }),
      { numRuns: 1_000 },
    )
  })
})
