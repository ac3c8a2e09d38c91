import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { splitLinks } from './find-links.ts'

test.each([
  ['no link', 'Call 0803, www.example.com', ['Call 0803, www.example.com'], []],
  ['one', 'See https://a.ng/x today', ['See ', ' today'], ['https://a.ng/x']],
  ['nothing else', 'https://a.ng', ['', ''], ['https://a.ng/']],
  ['at the end of a sentence', 'See http://a.ng/x?y=1.', ['See ', '.'], ['http://a.ng/x?y=1']],
  ['in brackets', '(https://a.ng/x), ok', ['(', '), ok'], ['https://a.ng/x']],
  ['with its own brackets', 'https://a.ng/x_(y)', ['', ''], ['https://a.ng/x_(y)']],
  ['in typographic quotes', '\u201chttps://a.ng/x\u201d', ['\u201c', '\u201d'], ['https://a.ng/x']],
  ['upper case', 'HTTPS://A.NG/X', ['', ''], ['https://a.ng/X']],
  ['letters beyond ASCII', 'https://a.ng/kàbọ̀', ['', ''], ['https://a.ng/k%C3%A0b%E1%BB%8D%CC%80']],
  ['two', 'https://a.ng/1 https://a.ng/2', ['', ' ', ''], ['https://a.ng/1', 'https://a.ng/2']],
  ['no host', 'https:// https://.', ['https:// https://.'], []],
  ['another scheme', 'ftp://a.ng javascript:alert(1)', ['ftp://a.ng javascript:alert(1)'], []],
  ['to a control character', 'https://a.ng/x\u0000y', ['', '\u0000y'], ['https://a.ng/x']],
  ['inside a word', 'xhttps://a.ng', ['xhttps://a.ng'], []],
])('%s', (_, text, pieces, urls) => {
  expect(splitLinks(text)).toEqual({ pieces, urls })
})

test('any text: a piece more than links, and only http and https', () => {
  const unit = fc.constantFrom('https://', 'http://', 'a.ng', '/', 'x', ' ', '.', ')', '(', '\u201d', '😀', ':', '?')
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 30 }), (text) => {
      const { pieces, urls } = splitLinks(text)
      expect(pieces).toHaveLength(urls.length + 1)
      for (const url of urls) expect(['http:', 'https:']).toContain(new URL(url).protocol)
      let rest = text
      for (const piece of pieces) {
        expect(rest).toContain(piece)
        rest = rest.slice(rest.indexOf(piece) + piece.length)
      }
    }),
  )
})
