import { array, assert, constantFrom, property, record, stringMatching, type Arbitrary } from 'fast-check'
import { getExampleNumber, type CountryCode } from 'libphonenumber-js/max'
import examples from 'libphonenumber-js/mobile/examples'
import { describe, expect, test } from 'vitest'
import { recipientReader } from '../../console/src/pages/send/read-recipients.ts'
import { cleanPhone, dialPlan } from '../../src/values/phone/phone.ts'

const NG = dialPlan('NG')
const read = recipientReader('NG')

describe('pasted recipients', () => {
  test.each([
    ['nothing', ' \n,;', [], []],
    ['commas, semicolons, tabs and lines', '08031234567,08051234567;\t08061234567\r\n08071234567', 4, []],
    ['Arabic and full-width commas', '08031234567،08051234567，08061234567', 3, []],
    ['blanks', '08031234567 2348051234567 +2348061234567', 3, []],
    ['a blank inside a number', '0803 123 4567', ['0803 123 4567'], []],
    ['the same with its country code', '+234 803 123 4567', ['+234 803 123 4567'], []],
    ['a code apart', '234 8031234567', ['234 8031234567'], []],
    ['a bracketed zero', '+234 (0)803 123 4567', ['+234 (0)803 123 4567'], []],
    ['a dash with blanks', '0803 - 123 - 4567', ['0803 - 123 - 4567'], []],
    ['tel: with a blank', 'Tel: +234 803 123 4567', ['tel:+234 803 123 4567'], []],
    [
      'blanks between and inside numbers',
      '0803 123 4567 0805 123 4567 08061234567 +234 807 123 4567',
      ['0803 123 4567', '0805 123 4567', '08061234567', '+234 807 123 4567'],
      [],
    ],
    ['names between numbers', 'Ada Obi 0803 123 4567 Bola 08051234567', 2, ['Ada Obi', 'Bola']],
    ['two digits short', '08031234567,080312345', 1, ['080312345']],
    ['two digits short, between blanks', '08031234567 080312345 0805 123 4567', 2, ['080312345']],
    ['a short one behind one with blanks', '0803 123 4567 080512345', 1, ['080512345']],
    // `80312345` alone is digits of no known country, which the service accepts.
    ['a short one behind its code', '+234 80312345', [], ['+234 80312345']],
    ['a short one behind its code and after another', '+2348051234567 +234 80312345', 1, ['+234 80312345']],
    ['a digit short, with blanks', '0803 123 456\n0805 123 4567', 1, ['0803 123 456']],
    ['a digit short, with blanks all around', '0803 123 456 0805 123 4567', [], ['0803 123 456 0805 123 4567']],
    ['letters in it', '0803CALLME1, 08031234567', 1, ['0803CALLME1']],
    ['an extension', '08031234567 x12', 1, ['x12']],
    ['a wrong one twice', 'nonsense; nonsense', [], ['nonsense']],
  ] as [string, string, string[] | number, string[]][])('%s', (_, text, valid, wrong) => {
    const found = read(text)
    expect(typeof valid === 'number' ? found.valid.length : found.valid).toEqual(valid)
    expect(found.wrong).toEqual(wrong)
  })

  test('are counted once, in any spelling, and keep their order', () => {
    expect(read('0803 123 4567, 123, +2348051234567;\n0803-123-4567,2348031234567')).toEqual({
      entries: ['0803 123 4567', '123', '+2348051234567'],
      valid: ['0803 123 4567', '+2348051234567'],
      wrong: ['123'],
      duplicates: 2,
    })
  })

  test.each(Object.keys(examples) as CountryCode[])(
    'are one each as %s writes them, alone and between others',
    (country) => {
      const example = getExampleNumber(country, examples)
      for (const text of [example?.formatInternational() ?? '', example?.formatNational() ?? '']) {
        // The service does not know every national form, such as the 8 of Russia.
        if (cleanPhone(text, dialPlan(country)) !== example?.number.slice(1)) continue
        const numbers = recipientReader(country)
        expect(numbers(text)).toMatchObject({ valid: [text], wrong: [] })
        const all = numbers(`${text} ${text} +234 803 123 4567`)
        expect(all).toEqual({
          entries: [text, '+234 803 123 4567'],
          valid: [text, '+234 803 123 4567'],
          wrong: [],
          duplicates: 1,
        })
      }
    },
  )

  test('belong to the country of the organisation', () => {
    expect(recipientReader('GB')('07911 123456 07911 123457').valid).toEqual(['07911 123456', '07911 123457'])
    expect(recipientReader('FO')('21 23 45, 212346').valid).toEqual(['21 23 45', '212346'])
  })
})

describe('what the service says of an entry', () => {
  const spelling = stringMatching(/^[0-9+()./ -]{1,22}$/)
  const mobile = stringMatching(/^0(70|80|81|90|91)[0-9]{8}$/)
  const parts: Arbitrary<string> = constantFrom(
    '0803',
    '123',
    '4567',
    '+234',
    '234',
    '080312345',
    '8031234567',
    'Ada',
    '(0)803',
  )

  test('is what the console says, of one between separators', () => {
    assert(
      property(spelling, (text) => {
        const found = read(text)
        for (const valid of found.valid) expect(cleanPhone(valid, NG)).toBeDefined()
        for (const wrong of found.wrong) expect(cleanPhone(wrong, NG)).toBeUndefined()
        // Without a blank there is only one reading.
        const is_valid = text.includes(' ') ? found.valid.length > 0 : cleanPhone(text, NG) !== undefined
        expect(found.valid.length > 0).toBe(is_valid)
      }),
      { numRuns: 5_000 },
    )
  })

  test('is what the console says of whatever it would send, and nothing is dropped', () => {
    assert(
      property(
        array(record({ part: parts, gap: constantFrom(' ', ' ', ',', '\n') }), { minLength: 1, maxLength: 12 }),
        (pieces) => {
          const { entries, valid, wrong, duplicates } = read(pieces.map(({ part, gap }) => part + gap).join(''))
          for (const one of valid) expect(cleanPhone(one, NG)).toBeDefined()
          for (const one of wrong) expect(cleanPhone(one, NG)).toBeUndefined()
          expect(new Set(entries)).toEqual(new Set([...valid, ...wrong]))
          if (duplicates > 0 || wrong.length > 0) return
          expect(entries.join(' ').split(' ')).toEqual(pieces.map(({ part }) => part))
        },
      ),
      { numRuns: 5_000 },
    )
  })

  test('is one answer for a list, whatever separates it', () => {
    assert(
      property(
        array(mobile, { minLength: 1, maxLength: 20 }),
        constantFrom(' ', '\n', ', ', ';', '\t'),
        (list, gap) => {
          const cleaned = new Set(list.map((one) => cleanPhone(one, NG)))
          const grouped = list.map((one) => one.replace(/^(....)(...)/, '$1 $2 '))
          for (const text of [list.join(gap), grouped.join(gap)]) {
            expect(new Set(read(text).valid.map((one) => cleanPhone(one, NG)))).toEqual(cleaned)
            expect(read(text).wrong).toEqual([])
          }
        },
      ),
    )
  })
})
