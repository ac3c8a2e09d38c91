import * as fc from 'fast-check'
import { SegmentedMessage } from 'sms-segments-calculator'
import { describe, expect, test } from 'vitest'
import { makePageForm, narrowest, ONE_PAGE, STANDARD_PAGES } from './page-form.ts'
import { foreignCharacters, measureText } from './sms-text.ts'

const gsm = (message_length: number, pages: number) => ({ encoding: 'GSM', message_length, pages })
const ucs2 = (message_length: number, pages: number) => ({ encoding: 'UCS-2', message_length, pages })
const a = (count: number) => 'a'.repeat(count)
const naira = (count: number) => '₦'.repeat(count)

describe('measureText', () => {
  test.each([
    ['nothing', '', gsm(0, 1)],
    ['one character', 'a', gsm(1, 1)],
    ['a full single message', a(160), gsm(160, 1)],
    ['one septet more', a(161), gsm(161, 2)],
    ['two full segments', a(306), gsm(306, 2)],
    ['two full segments and one', a(307), gsm(307, 3)],
    ['ten full segments', a(1530), gsm(1530, 10)],
    ['ten full segments and one', a(1531), gsm(1531, 11)],
    ['eighty extension characters', '€'.repeat(80), gsm(160, 1)],
    ['an extension character over the end of a single message', `${a(159)}€`, gsm(161, 2)],
    ['an extension character at the end of a segment', `${a(151)}€${a(153)}`, gsm(306, 2)],
    ['an extension character over the end of a segment', `${a(152)}€${a(152)}`, gsm(306, 3)],
    ['extension characters, 76 to a segment', '€'.repeat(153), gsm(306, 3)],
    ['a full single message of UCS-2', naira(70), ucs2(70, 1)],
    ['one unit more', naira(71), ucs2(71, 2)],
    ['two full segments of UCS-2', naira(134), ucs2(134, 2)],
    ['two full segments of UCS-2 and one', naira(135), ucs2(135, 3)],
    ['an extension character in UCS-2, which counts one', `${naira(69)}€`, ucs2(70, 1)],
    ['a surrogate pair at the end of a single message', `${naira(68)}😀`, ucs2(70, 1)],
    ['a surrogate pair at the end of a segment', `${naira(65)}😀${naira(67)}`, ucs2(134, 2)],
    ['a surrogate pair over the end of a segment', `${naira(66)}😀${naira(66)}`, ucs2(134, 3)],
    ['lone surrogates over the end of a segment', `${naira(66)}\udc00\ud800${naira(66)}`, ucs2(134, 2)],
    ['one naira sign', `${a(159)}₦`, ucs2(160, 3)],
  ])('%s', (_, text, expected) => {
    expect(measureText(text, STANDARD_PAGES)).toEqual(expected)
  })

  test.each(Array.from('\f^{}\\[~]|€'))('%j counts two', (character) => {
    expect(measureText(character, STANDARD_PAGES)).toEqual(gsm(2, 1))
  })

  const latin1 = makePageForm({ highest: 0xff })
  const ascii = makePageForm({ highest: 0x7f })
  const wide = makePageForm({ header_octets: 7 })
  test.each([
    ['ten full segments of the usual header, under a wider one', wide, a(1530), gsm(1530, 11)],
    ['ten full segments of a wider header', wide, a(1520), gsm(1520, 10)],
    ['ten full segments of UCS-2 with the usual header, under a wider one', wide, naira(670), ucs2(670, 11)],
    ['an extension character over the end of a segment', wide, `${a(151)}€${a(151)}`, gsm(304, 3)],
    ['a full single message, whatever the header', wide, a(160), gsm(160, 1)],
    ['Greek that Latin-1 lacks', latin1, `${a(70)}Δ`, ucs2(71, 2)],
    ['the euro that Latin-1 lacks', latin1, '€', ucs2(1, 1)],
    ['an accent that Latin-1 has', latin1, 'é'.repeat(160), gsm(160, 1)],
    ['a bracket that Latin-1 has, two septets in the end', latin1, '['.repeat(81), gsm(162, 2)],
    ['an accent that GSM lacks, though Latin-1 has it', latin1, 'ç', ucs2(1, 1)],
    ['an accent that ASCII lacks', ascii, 'é', ucs2(1, 1)],
    ['ten thousand characters where there are no pages', ONE_PAGE, naira(10_000), ucs2(10_000, 1)],
  ])('%s', (_, form, text, expected) => {
    expect(measureText(text, form)).toEqual(expected)
  })

  test('what is GSM in the narrowest form is GSM in all of them', () => {
    expect(narrowest([STANDARD_PAGES, ascii, latin1])).toBe(ascii)
    expect(narrowest([ONE_PAGE, latin1, wide])).toBe(latin1)
    expect(narrowest([])).toBe(STANDARD_PAGES)
  })

  // One by one over the whole plane, so that no character is in our table and not in theirs, nor the reverse.
  test('the table is the one of the oracle', () => {
    const plane = Array.from({ length: 65_536 }, (_, unit) => String.fromCharCode(unit))
    const ours = plane.filter((character) => measureText(character, STANDARD_PAGES).encoding === 'GSM')
    expect(ours).toEqual(plane.filter((character) => new SegmentedMessage(character).encodingName === 'GSM-7'))
    expect(ours).toHaveLength(127 + 10)
  })
})

test('foreignCharacters names each once, in order of appearance, and all its places', () => {
  expect([...foreignCharacters('Ça coûte ₦500, ₦600 `net` 😀 déçu 😀', STANDARD_PAGES)]).toEqual([
    ['û', [5]],
    ['₦', [9, 15]],
    ['`', [20, 24]],
    ['😀', [26, 34]],
    ['ç', [31]],
  ])
  expect([...foreignCharacters('Balance: €5 {ok} ~', STANDARD_PAGES)]).toEqual([])
  expect([...foreignCharacters('Balance: €5 {ok} ~', makePageForm({ highest: 0xff }))]).toEqual([['€', [9]]])
})

describe('any text', () => {
  // Short alphabets heavy with two-septet and two-unit characters, since these move the borders of the segments. Without
  // `size` fast-check makes strings of about ten characters, which never have a second segment.
  const long = { maxLength: 700, size: 'max' } as const
  const gsmText = fc.string({ unit: fc.constantFrom(...Array.from('aZ0 \n\rÇé€[^')), ...long })
  const ucs2Text = fc.string({ unit: fc.constantFrom(...Array.from('a€₦ç`我😀𝄞')), ...long })
  const anyText = fc.oneof(gsmText, ucs2Text, fc.string({ unit: 'binary', ...long }))

  test('is GSM exactly when it has no foreign characters', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(measureText(text, STANDARD_PAGES).encoding).toBe(
          foreignCharacters(text, STANDARD_PAGES).size === 0 ? 'GSM' : 'UCS-2',
        )
      }),
    )
  })

  // The oracle (smart encoding is off unless asked for) keeps a whole grapheme in one segment: an emoji of several code
  // points, a letter with its combining accent. Handsets join the segments before they show them, so we keep only
  // code points whole and sometimes need a segment less. In UCS-2 its numberOfCharacters counts graphemes, so lengths are
  // compared by bits. Hence only texts whose graphemes are single code points are compared.
  test('has the pages the oracle says', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const oracle = new SegmentedMessage(text)
        fc.pre(oracle.graphemes.length === oracle.numberOfUnicodeScalars)
        const { encoding, message_length, pages } = measureText(text, STANDARD_PAGES)
        expect(oracle.encodingName).toBe(encoding === 'GSM' ? 'GSM-7' : 'UCS-2')
        expect(oracle.messageSize).toBe(message_length * (encoding === 'GSM' ? 7 : 16))
        expect(oracle.segmentsCount).toBe(pages)
      }),
      { numRuns: 300 },
    )
  })

  test('may need a page less than the oracle says where a grapheme has several code points', () => {
    const family = '👩\u200d👩\u200d👧\u200d👦'
    const text = `${naira(61)}${family}${naira(62)}`
    expect(measureText(text, STANDARD_PAGES)).toEqual(ucs2(134, 2))
    expect(new SegmentedMessage(text).segmentsCount).toBe(3)
  })
})
