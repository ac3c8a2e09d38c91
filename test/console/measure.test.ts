import { array, assert, constantFrom, property, string } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { measure, plain } from '../../console/src/pages/send/measure.ts'
import { withShortLinks } from '../../console/src/pages/send/short-links.ts'
import { fillIn, placeholdersOf } from '../../console/src/pages/send/placeholders.ts'
import { splitLinks } from '../../src/messaging/links/find-links.ts'
import { STANDARD_PAGES } from '../../src/values/sms/page-form.ts'
import { foreignCharacters, measureText } from '../../src/values/sms/sms-text.ts'

const texts = string({
  unit: constantFrom('a', 'Z', ' ', '\n', '€', '{', 'ç', 'Ç', '₦', '’', '😀', 'ẹ', '7'),
  maxLength: 400,
})

describe('the short links of the preview', () => {
  const SHORT = 'https://sms.example.com/l/xxxxxxx'
  const parts = constantFrom(
    'http://a.ng',
    'https://b.ng/p?q=(1)',
    ' ',
    '.',
    ')',
    '(',
    '”',
    'x',
    ',',
    '\n',
    'https://',
    '“',
  )

  test('stand where the service puts them, so that counter and estimate agree', () => {
    assert(
      property(array(parts, { maxLength: 12 }), (pieces) => {
        const text = pieces.join('')
        expect(withShortLinks(text, SHORT)).toBe(splitLinks(text).pieces.join(SHORT))
      }),
    )
    expect(withShortLinks('See http://a.ng/x.', SHORT)).toBe(`See ${SHORT}.`)
  })
})

describe('the counter while typing', () => {
  test('agrees with the service', () => {
    assert(
      property(texts, (text) => {
        const { encoding, length, pages, foreign } = measure(text)
        expect({ encoding, message_length: length, pages }).toEqual(measureText(text, STANDARD_PAGES))
        expect(foreign).toEqual([...foreignCharacters(text, STANDARD_PAGES).keys()])
      }),
    )
  })

  test('shows how many characters are left on the last page', () => {
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

  test('replaces characters that have a plain equivalent, and keeps the others', () => {
    expect(plain('₦500 – “now” 😀')).toBe('NGN 500 - "now" 😀')
  })
})

describe('placeholders', () => {
  test('are filled, fall back, and stay visible without a value', () => {
    const text = 'Hello {{ name | there }}, {{order}} costs {{price}}'
    expect(placeholdersOf(text)).toEqual([{ name: 'name', default: 'there' }, { name: 'order' }, { name: 'price' }])
    expect(fillIn(text, { order: '1042' })).toBe('Hello there, 1042 costs {{price}}')
  })
})
