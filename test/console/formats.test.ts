import { describe, expect, test } from 'vitest'
import { wordingOf } from '../../console/src/text/wording.ts'
import { money, typedAmount } from '../../console/src/ui/Money.tsx'
import { phoneFormatRead, phoneText } from '../../console/src/ui/Phone.tsx'

const english = wordingOf({ language: 'en', numbers: 'en' }, {})
const french = wordingOf({ language: 'fr', numbers: 'fr' }, {})

describe('a rate', () => {
  test.each([
    [1, '100%'],
    [0.9996, '99.9%'],
    [0.99999, '99.9%'],
    [0.975, '97.5%'],
    [0.5, '50%'],
    [0.0004, '< 0.1%'],
    [0, '0%'],
  ])('of %s is %s: only all is 100 %%, and only none is 0 %%', (part, text) => {
    expect(english.percent(part)).toBe(text)
  })

  test('without decimals is not rounded up to all either', () => {
    expect(english.percent(0.996, { maximumFractionDigits: 0 })).toBe('99%')
    expect(english.percent(0.25, { maximumFractionDigits: 0 })).toBe('25%')
  })

  test('is written as the language does, a change with its sign', () => {
    expect(french.percent(0.975)).toMatch(/^97,5\s%$/)
    expect([0.5, -0.25, 0].map(english.percentChange)).toEqual(['+50%', '\u221225%', '0%'])
  })
})

test('a negative number has a minus sign, not a hyphen, which an amount may be typed with', () => {
  expect(english.number(-1234.5)).toBe('\u22121,234.5')
  expect(money(-5, 'NGN')).toBe('\u2212₦5.00')
  expect(money(12.3456, 'USD', true)).toBe('+$12.3456')
  expect(typedAmount('\u22121,234.50', 'en')).toBe(-1234.5)
  expect(['1,234,567', ' 12.5 ', '2,5', '1,2345'].map((text) => typedAmount(text, 'en'))).toEqual([
    1_234_567,
    12.5,
    '2,5',
    '1,2345',
  ])
})

test('a phone number is grouped as its country does; without a country code it is left as it is', async () => {
  await phoneFormatRead
  expect(phoneText('2348061099989')).toBe('+234 806 109 9989')
  expect(phoneText('08061099989')).toBe('08061099989')
  expect(phoneText('32811')).toBe('32811')
  expect(phoneText('Gangan')).toBe('Gangan')
})
