import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { lookAlike, smartEncode } from './smart-encoding.ts'
import { measureText } from './sms-text.ts'

const LINKS = /https?:\/\/\S+/g

test.each([
  ['\u201cIt\u2019s ready\u201d \u2013 come by\u2026', '"It\'s ready" - come by...'],
  ['5\u00a0000\u202fNGN', '5 000 NGN'],
  ['a\tb\u200bc\ufeff', 'a bc'],
  ['plain', 'plain'],
  ['Ça va? \u201coui\u201d', 'Ça va? "oui"'],
])('%j becomes %j', (text, expected) => {
  expect(smartEncode(text)).toBe(expected)
})

test.each([
  ['a letter without a look-alike', '\u201c\u1eb8 k\u00e0\u00e1b\u1ecd\u0300\u201d'],
  ['a currency sign', '\u201c₦500\u201d'],
  ['an emoji', 'Done \u2013 😀'],
])('%s leaves all as it is', (_, text) => {
  expect(smartEncode(text)).toBe(text)
})

test('what must stay as written stays', () => {
  expect(smartEncode('\u201csee\u201d https://a.ng/x', LINKS)).toBe('"see" https://a.ng/x')
  const dashed = '\u201csee\u201d https://a.ng/x\u2013y'
  expect(smartEncode(dashed, LINKS)).toBe(dashed)
})

test('any text either becomes GSM or stays as it is, and twice is once', () => {
  const unit = fc.constantFrom(...Array.from('aZ \u2019\u201c\u2013\u2026\u00a0\u200b₦ç😀é€'))
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 40 }), (text) => {
      const encoded = smartEncode(text)
      expect(encoded === text || measureText(encoded).encoding === 'GSM').toBe(true)
      expect(smartEncode(encoded)).toBe(encoded)
    }),
  )
})

test('look-alikes are GSM themselves, and only what is not has one', () => {
  const plane = Array.from({ length: 65_536 }, (_, unit) => String.fromCharCode(unit))
  const replaced = plane.filter((character) => lookAlike(character) !== undefined)
  expect(replaced.length).toBeGreaterThan(50)
  expect(replaced.filter((character) => measureText(character).encoding === 'GSM')).toEqual([])
  expect(replaced.filter((character) => measureText(lookAlike(character) ?? '₦').encoding !== 'GSM')).toEqual([])
})
