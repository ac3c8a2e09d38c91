import { describe, expect, test } from 'vitest'
import { amountOf } from './vendor-values.ts'

describe('an amount as vendors write it', () => {
  test('is read with its currency, its separators and at most four decimals', () => {
    expect(amountOf(19.3)).toBe(193_000n)
    expect(amountOf('19.30')).toBe(193_000n)
    expect(amountOf('NGN 1,785.5000')).toBe(17_855_000n)
    expect(amountOf('KES  -2.123456789')).toBe(-21_234n)
    expect(amountOf(' 12 ')).toBe(120_000n)
  })

  test('is undefined for other text', () => {
    for (const text of ['', 'NGN', '1.', '.5', '1.2.3', 'ngn 5', '5 NGN', '1e5', null, {}, [1]]) {
      expect(amountOf(text)).toBeUndefined()
    }
  })

  test('is undefined for text longer than any amount, in constant time', () => {
    expect(amountOf('1'.repeat(1_000_000))).toBeUndefined()
    expect(amountOf(`${'1'.repeat(1_000_000)}x`)).toBeUndefined()
    expect(amountOf(`0.${'0'.repeat(1_000_000)}x`)).toBeUndefined()
  })
})
