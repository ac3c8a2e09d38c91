import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { makePageForm, STANDARD_PAGES } from './page-form.ts'
import { lookAlike, smartEncode } from './smart-encoding.ts'
import { isGsm } from './sms-text.ts'

const LINKS = /https?:\/\/\S+/g

test.each([
  ['\u201cIt\u2019s ready\u201d \u2013 come by\u2026', '"It\'s ready" - come by...'],
  ['5\u00a0000\u202fNGN', '5 000 NGN'],
  ['a\tb\u200bc\ufeff', 'a bc'],
  ['plain', 'plain'],
  ['Ça va? \u201coui\u201d', 'Ça va? "oui"'],
])('%j becomes %j', (text, expected) => {
  expect(smartEncode(text, STANDARD_PAGES)).toBe(expected)
})

test.each([
  ['a letter without a look-alike', '\u201c\u1eb8 k\u00e0\u00e1b\u1ecd\u0300\u201d'],
  ['a currency sign', '\u201c₦500\u201d'],
  ['an emoji', 'Done \u2013 😀'],
])('%s leaves all as it is', (_, text) => {
  expect(smartEncode(text, STANDARD_PAGES)).toBe(text)
})

test('a carrier whose alphabet lacks something else gets the text as it is', () => {
  const latin1 = makePageForm({ highest: 0xff })
  expect(smartEncode('\u201c£5\u201d', latin1)).toBe('"£5"')
  expect(smartEncode('\u201c€5\u201d', latin1)).toBe('\u201c€5\u201d')
})

test('what must stay as written stays', () => {
  expect(smartEncode('\u201csee\u201d https://a.ng/x', STANDARD_PAGES, LINKS)).toBe('"see" https://a.ng/x')
  const dashed = '\u201csee\u201d https://a.ng/x\u2013y'
  expect(smartEncode(dashed, STANDARD_PAGES, LINKS)).toBe(dashed)
})

test('any text either becomes GSM or stays as it is, and twice is once', () => {
  const unit = fc.constantFrom(...Array.from('aZ \u2019\u201c\u2013\u2026\u00a0\u200b₦ç😀é€'))
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 40 }), (text) => {
      const encoded = smartEncode(text, STANDARD_PAGES)
      expect(encoded === text || isGsm(encoded, STANDARD_PAGES)).toBe(true)
      expect(smartEncode(encoded, STANDARD_PAGES)).toBe(encoded)
    }),
  )
})

test('look-alikes are GSM themselves, and only what is not has one', () => {
  const plane = Array.from({ length: 65_536 }, (_, unit) => String.fromCharCode(unit))
  const replaced = plane.filter((character) => lookAlike(character) !== undefined)
  expect(replaced.length).toBeGreaterThan(50)
  expect(replaced.filter((character) => isGsm(character, STANDARD_PAGES))).toEqual([])
  // In the narrowest alphabet, so that they win a text anywhere.
  const ascii = makePageForm({ highest: 0x7f })
  expect(replaced.filter((character) => !isGsm(lookAlike(character) ?? '₦', ascii))).toEqual([])
})
