import { array, assert, bigInt, constantFrom, date as anyDate, integer, property, tuple } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { dialPlan } from '../../values/phone/phone.ts'
import { numberKey } from '../keys.ts'
import { detectType, findFormat } from './detect.ts'
import { plainDate, plainNumber } from './formats.ts'

const nigeria = { plan: dialPlan('NG'), country: 'NG' }
const germany = { plan: dialPlan('DE'), country: 'DE' }

const amount = tuple(bigInt({ min: -(10n ** 15n), max: 10n ** 15n }), constantFrom('', '5', '05', '50', '125')).map(
  ([whole, decimals]) => ({ whole, decimals }),
)
const day = anyDate({ min: new Date('1000-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }).map((date) =>
  date.toISOString().slice(0, 10),
)

function grouped(whole: bigint, separator: string): string {
  return String(whole).replace(/\B(?=(\d{3})+$)/g, separator)
}

describe('a number', () => {
  test('keeps its value, however its thousands and decimals are separated', () => {
    const separators = constantFrom(',', ' ', "'", '’', '\u00a0', '\u202f', '')
    assert(
      property(amount, separators, ({ whole, decimals }, separator) => {
        const plain = decimals === '' ? String(whole) : `${whole}.${decimals}`
        const tail = (point: string): string => (decimals === '' ? '' : point + decimals)
        expect(numberKey(plainNumber(grouped(whole, separator) + tail('.'), '1,234.5') ?? '')).toBe(numberKey(plain))
        const dotted = separator === ',' ? '.' : separator
        expect(numberKey(plainNumber(grouped(whole, dotted) + tail(','), '1.234,5') ?? '')).toBe(numberKey(plain))
      }),
    )
  })

  test.each([
    ['1,23', '1,234.5'],
    ['0,500', '1,234.5'],
    ['1,234,56', '1,234.5'],
    ['1.234.5', '1,234.5'],
    ['1.5', '1.234,5'],
    ['1,234.5', '1.234,5'],
    ['1 234.567', '1.234,5'],
    ['₦5', '1,234.5'],
    ['', '1.234,5'],
  ] as const)('%s is none in the format %s', (text, format) => {
    expect(plainNumber(text, format)).toBeUndefined()
  })

  test('has Indian thousands, and a minus sign', () => {
    expect(plainNumber('12,34,567.5', '1,234.5')).toBe('1234567.5')
    expect(plainNumber('\u2212 5', '1,234.5')).toBeUndefined()
    expect(plainNumber('\u22125,000', '1,234.5')).toBe('-5000')
  })

  test('of a column is read in the format that fits, else as in the country; the other meaning is reported', () => {
    expect(findFormat('NUMBER', ['1,234', '5.5'], nigeria)).toEqual({ format: '1,234.5', fits: 2 })
    expect(findFormat('NUMBER', ['1.234', '5,5'], nigeria)).toEqual({ format: '1.234,5', fits: 2 })
    const formats = ['1,234.5', '1.234,5']
    expect(findFormat('NUMBER', ['50,000'], nigeria)).toEqual({ format: '1,234.5', formats, fits: 1 })
    expect(findFormat('NUMBER', ['50,000'], germany)).toEqual({ format: '1.234,5', formats, fits: 1 })
    expect(findFormat('NUMBER', ['1.234', '7'], germany)).toEqual({ format: '1,234.5', formats, fits: 2 })
  })
})

describe('a date', () => {
  const name = (date: string, style: 'long' | 'short', locale: string): string =>
    new Intl.DateTimeFormat(locale, { month: style, timeZone: 'UTC' }).format(new Date(date))

  test('is the same day in every format', () => {
    assert(
      property(day, constantFrom('/', '-', '.'), (date, separator) => {
        const [year, month, of_month] = date.split('-')
        const written = (...parts: (string | undefined)[]): string => parts.join(separator)
        expect(plainDate(written(of_month, month, year), 'DD/MM/YYYY')).toBe(date)
        const american = plainDate(written(month, of_month, year), 'MM/DD/YYYY')
        expect(american).toBe(separator === '.' ? undefined : date)
        for (const format of ['YYYY-MM-DD', 'DD/MM/YYYY', 'MM/DD/YYYY'] as const) {
          expect(plainDate(written(year, month, of_month), format)).toBe(date)
          expect(plainDate(`${Number(of_month)} ${name(date, 'long', 'en')} ${year}`, format)).toBe(date)
          expect(plainDate(`${name(date, 'short', 'en')} ${of_month}, ${year}`, format)).toBe(date)
          expect(plainDate(`${of_month} ${name(date, 'long', 'fr')} ${year}`, format)).toBe(date)
        }
      }),
    )
  })

  test('is never guessed: a column of days up to 12 has two formats, any other day decides', () => {
    const low = array(tuple(integer({ min: 1, max: 12 }), integer({ min: 1, max: 12 })), { minLength: 1 })
    assert(
      property(low, integer({ min: 13, max: 28 }), (days, late) => {
        const values = days.map(([a, b]) => `${a}/${b}/2026`)
        expect(findFormat('DATE', values, nigeria)).toEqual({
          formats: ['DD/MM/YYYY', 'MM/DD/YYYY'],
          fits: values.length,
        })
        expect(detectType(values, nigeria, true).type).toBe('TEXT')
        expect(findFormat('DATE', [...values, `${late}/1/2026`], nigeria).format).toBe('DD/MM/YYYY')
        expect(findFormat('DATE', [...values, `1/${late}/2026`], nigeria).format).toBe('MM/DD/YYYY')
      }),
    )
  })

  test.each(['31/02/2026', '3/4/26', '13/13/2026', '2026', '3 Foo 2026', '1/1/2026 25:00', '1/1/2026 13:00 PM'])(
    '%s is none',
    (text) => {
      expect(plainDate(text, 'DD/MM/YYYY')).toBeUndefined()
    },
  )

  test('has a time', () => {
    expect(plainDate('3/4/2026 9:05 PM', 'DD/MM/YYYY')).toBe('2026-04-03T21:05:00')
    expect(plainDate('3 Apr 2026, 12:00 AM', 'YYYY-MM-DD')).toBe('2026-04-03T00:00:00')
  })
})

describe('the type of a column', () => {
  const twenty = Array.from({ length: 20 }, (_, n) => String(n * 1_000))

  test('is certain if all values fit it', () => {
    expect(detectType(['a@b.ng', 'c@d.ng'], nigeria, false)).toEqual({ type: 'EMAIL' })
    expect(detectType(['https://a.ng', ''], nigeria, false)).toEqual({ type: 'URL' })
    expect(detectType(['08031234567', '+2348031234567'], nigeria, false)).toEqual({ type: 'PHONE NUMBER' })
    expect(detectType(['3 Apr 2026', '2026-04-03'], nigeria, false)).toEqual({ type: 'DATE', format: 'YYYY-MM-DD' })
    expect(detectType(['1', '2,500.50'], nigeria, false)).toEqual({ type: 'NUMBER', format: '1,234.5' })
    expect(detectType([...twenty, 'none'], nigeria, false)).toEqual({ type: 'TEXT' })
    expect(detectType([' ', ''], nigeria, true)).toEqual({ type: 'TEXT' })
  })

  test('is likely if nearly all do, and a choice if few values recur', () => {
    expect(detectType([...twenty, 'none'], nigeria, true)).toEqual({ type: 'NUMBER', format: '1,234.5' })
    expect(detectType([...twenty, 'none', 'none', 'none'], nigeria, true)).toEqual({ type: 'TEXT' })
    const cities = twenty.map((_, n) => ['Lagos', 'Kano', ' lagos ', 'Abuja'][n % 4] ?? '')
    expect(detectType(cities, nigeria, true)).toEqual({ type: 'SELECT', options: ['Lagos', 'Kano', 'Abuja'] })
    expect(detectType(cities, nigeria, false)).toEqual({ type: 'TEXT' })
    expect(
      detectType(
        cities.map((city) => `${city}, NG`),
        nigeria,
        true,
      ),
    ).toEqual({ type: 'TEXT' })
  })
})
