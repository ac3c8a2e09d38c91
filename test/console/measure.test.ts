import { assert, constantFrom, property, string } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { measure, plain } from '../../console/src/pages/send/measure.ts'
import { fillIn, placeholdersOf, readRecipients } from '../../console/src/pages/send/recipients.ts'
import { STANDARD_PAGES } from '../../src/values/sms/page-form.ts'
import { foreignCharacters, measureText } from '../../src/values/sms/sms-text.ts'

const texts = string({
  unit: constantFrom('a', 'Z', ' ', '\n', '€', '{', 'ç', 'Ç', '₦', '’', '😀', 'ẹ', '7'),
  maxLength: 400,
})

describe('the counter while typing', () => {
  test('says what the service says', () => {
    assert(
      property(texts, (text) => {
        const { encoding, length, pages, foreign } = measure(text)
        expect({ encoding, message_length: length, pages }).toEqual(measureText(text, STANDARD_PAGES))
        expect(foreign).toEqual([...foreignCharacters(text, STANDARD_PAGES).keys()])
      }),
    )
  })

  test('knows how much is left on the last page', () => {
    assert(
      property(texts, (text) => {
        const { left, pages, encoding } = measure(text)
        const longer = measure(text + 'a'.repeat(left))
        expect({ pages: longer.pages, left: longer.left, encoding: longer.encoding }).toEqual({
          pages,
          left: 0,
          encoding,
        })
      }),
    )
  })

  test('writes plainly what has a plain twin, and leaves the rest', () => {
    expect(plain('₦500 – “now” 😀')).toBe('NGN 500 - "now" 😀')
  })
})

describe('pasted recipients', () => {
  test('are separated by commas, semicolons and lines, and counted once', () => {
    expect(readRecipients('0803 123 4567, +2348051234567;\n0803-123-4567,')).toEqual({
      numbers: ['0803 123 4567', '+2348051234567'],
      duplicates: 1,
    })
  })
})

describe('placeholders', () => {
  test('are filled, fall back, and stay visible without a value', () => {
    const text = 'Hello {{ name | there }}, {{order}} costs {{price}}'
    expect(placeholdersOf(text)).toEqual([{ name: 'name', default: 'there' }, { name: 'order' }, { name: 'price' }])
    expect(fillIn(text, { order: '1042' })).toBe('Hello there, 1042 costs {{price}}')
  })
})
