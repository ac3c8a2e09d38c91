import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { splitText } from './sms-text-parts.ts'
import { measureText } from './sms-text.ts'

const a = (count: number) => 'a'.repeat(count)
const naira = (count: number) => '₦'.repeat(count)

describe('splitText', () => {
  test('an extension character opens the next part whole', () => {
    expect(splitText(`${a(152)}€${a(7)}`)).toEqual({ encoding: 'GSM', parts: [a(152), `€${a(7)}`] })
  })

  test('a surrogate pair opens the next part whole', () => {
    expect(splitText(`${naira(66)}😀${naira(3)}`)).toEqual({ encoding: 'UCS-2', parts: [naira(66), `😀${naira(3)}`] })
  })

  test('the empty text is one empty part', () => {
    expect(splitText('')).toEqual({ encoding: 'GSM', parts: [''] })
  })

  test('a wide reference takes a unit of every part', () => {
    expect(splitText(a(306), { wide_reference: true }).parts.map((part) => part.length)).toEqual([152, 152, 2])
    expect(splitText(naira(134), { wide_reference: true }).parts.map((part) => part.length)).toEqual([66, 66, 2])
    expect(splitText(a(160), { wide_reference: true }).parts).toEqual([a(160)])
  })
})

describe('any text', () => {
  // Without `size` fast-check makes strings of about ten characters, which never have a second part.
  const long = { maxLength: 700, size: 'max' } as const
  const gsmText = fc.string({ unit: fc.constantFrom(...Array.from('aZ0 \n\rÇé€[^')), ...long })
  const ucs2Text = fc.string({ unit: fc.constantFrom(...Array.from('a€₦ç`我😀𝄞')), ...long })
  const anyText = fc.oneof(gsmText, ucs2Text, fc.string({ unit: 'binary', ...long }))

  test('splits into parts that join to it again, each within the limit, as many as measured', () => {
    fc.assert(
      fc.property(anyText, fc.boolean(), (text, wide_reference) => {
        const { encoding, message_length, pages } = measureText(text)
        const split = splitText(text, { wide_reference })
        expect(split.encoding).toBe(encoding)
        expect(split.parts.join('')).toBe(text)
        expect(splitText(text).parts).toHaveLength(pages)
        const single = { GSM: 160, 'UCS-2': 70 }[encoding]
        const part = { GSM: 153, 'UCS-2': 67 }[encoding] - (wide_reference ? 1 : 0)
        const lengths = split.parts.map((part) => (encoding === 'GSM' ? measureText(part).message_length : part.length))
        expect(Math.max(...lengths)).toBeLessThanOrEqual(split.parts.length === 1 ? single : part)
        expect(lengths.reduce((sum, length) => sum + length)).toBe(message_length)
      }),
    )
  })

  test('has no lone surrogate in any part', () => {
    fc.assert(
      fc.property(ucs2Text, fc.boolean(), (text, wide_reference) => {
        for (const part of splitText(text, { wide_reference }).parts) expect(part).not.toMatch(/\p{Surrogate}/u)
      }),
    )
  })
})
