import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { makePageForm, ONE_PAGE, STANDARD_PAGES } from './page-form.ts'
import { measureText, splitText } from './sms-text.ts'

const WIDE_HEADER = makePageForm({ header_octets: 7 })
const LATIN_1 = makePageForm({ highest: 0xff })
const a = (count: number) => 'a'.repeat(count)
const naira = (count: number) => '₦'.repeat(count)

describe('splitText', () => {
  test('an extension character opens the next segment whole', () => {
    const { encoding, segments } = splitText(`${a(152)}€${a(7)}`, STANDARD_PAGES)
    expect({ encoding, segments }).toEqual({ encoding: 'GSM', segments: [a(152), `€${a(7)}`] })
  })

  test('a surrogate pair opens the next segment whole', () => {
    const { encoding, segments } = splitText(`${naira(66)}😀${naira(3)}`, STANDARD_PAGES)
    expect({ encoding, segments }).toEqual({ encoding: 'UCS-2', segments: [naira(66), `😀${naira(3)}`] })
  })

  test('the empty text is one empty segment', () => {
    expect(splitText('', STANDARD_PAGES)).toEqual({ encoding: 'GSM', segments: [''] })
  })

  test('a wider header takes a unit of every segment', () => {
    expect(splitText(a(306), WIDE_HEADER).segments.map((segment) => segment.length)).toEqual([152, 152, 2])
    expect(splitText(naira(134), WIDE_HEADER).segments.map((segment) => segment.length)).toEqual([66, 66, 2])
    expect(splitText(a(160), WIDE_HEADER).segments).toEqual([a(160)])
  })

  test('without pages a text is one, however long', () => {
    expect(splitText(naira(4_096), ONE_PAGE).segments).toEqual([naira(4_096)])
  })
})

describe('any text', () => {
  // Without `size` fast-check makes strings of about ten characters, which never have a second segment.
  const long = { maxLength: 700, size: 'max' } as const
  const gsmText = fc.string({ unit: fc.constantFrom(...Array.from('aZ0 \n\rÇé€[^')), ...long })
  const ucs2Text = fc.string({ unit: fc.constantFrom(...Array.from('a€₦ç`我😀𝄞')), ...long })
  const anyText = fc.oneof(gsmText, ucs2Text, fc.string({ unit: 'binary', ...long }))
  const forms = fc.constantFrom(STANDARD_PAGES, WIDE_HEADER, LATIN_1)

  test('splits into segments that join to it again, each within the limit, as many as measured', () => {
    fc.assert(
      fc.property(anyText, forms, (text, form) => {
        const { encoding, message_length, pages } = measureText(text, form)
        const split = splitText(text, form)
        expect(split.encoding).toBe(encoding)
        expect(split.segments.join('')).toBe(text)
        expect(split.segments).toHaveLength(pages)
        const single = { GSM: 160, 'UCS-2': 70 }[encoding]
        const segment = { GSM: 153, 'UCS-2': 67 }[encoding] - (form === WIDE_HEADER ? 1 : 0)
        const lengths = split.segments.map((one) =>
          encoding === 'GSM' ? measureText(one, form).message_length : one.length,
        )
        expect(Math.max(...lengths)).toBeLessThanOrEqual(pages === 1 ? single : segment)
        expect(lengths.reduce((sum, length) => sum + length)).toBe(message_length)
      }),
    )
  })

  test('has no lone surrogate in any segment', () => {
    fc.assert(
      fc.property(ucs2Text, forms, (text, form) => {
        for (const segment of splitText(text, form).segments) expect(segment).not.toMatch(/\p{Surrogate}/u)
      }),
    )
  })

  test('is never fewer pages than the usual ones, whatever a carrier takes', () => {
    fc.assert(
      fc.property(anyText, forms, (text, form) => {
        expect(measureText(text, form).pages).toBeGreaterThanOrEqual(measureText(text, STANDARD_PAGES).pages)
      }),
    )
  })
})
