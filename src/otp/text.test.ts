import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Fault } from '../values/refusal.ts'
import { measureText } from '../values/sms-text.ts'
import { checkTemplate, writeText } from './text.ts'

const facts = { token: '482913', minutes: 15, sender_id: 'Gangan' }

describe('writeText', () => {
  test('fills in what it knows, blanks or not, as often as it stands there', () => {
    const { text } = writeText('{{token}} {{ sender }} {{minutes}}m {{token}}', '', facts)
    expect(text).toBe('482913 Gangan 15m 482913')
  })

  test('ends with the line for one domain', () => {
    expect(writeText('{{token}}', 'example.com', facts)).toEqual({
      text: '482913\n\n@example.com #482913',
      shown: '******\n\n@example.com #******',
    })
  })

  test('shows nothing of the token, and the same length and pages', () => {
    const piece = fc.constantFrom('{{token}}', '{{minutes}}', '{{sender}}', 'Your code: ', 'ọ', '€', 'x'.repeat(60))
    const template = fc.array(piece, { maxLength: 12 }).map((pieces) => `{{token}}${pieces.join('')}`)
    const token = fc.stringMatching(/^[A-Z]{4}[a-z]{6}$/)
    fc.assert(
      fc.property(template, token, (template, token) => {
        const { text, shown } = writeText(template, '', { ...facts, token })
        expect(text).toContain(token)
        expect(shown).not.toContain(token)
        expect(measureText(shown)).toEqual(measureText(text))
      }),
    )
  })
})

test.each([
  ['{{token}}', []],
  ['{{ token }} and {{sender}}', []],
  ['{token}', ['invalid']],
  ['{{token}} {{nam}}', ['unknown_placeholder']],
  ['{{}} {{token}}', ['unknown_placeholder']],
  [`{{token}}${'ọ'.repeat(300)}`, ['string_too_long']],
])('checkTemplate(%j)', (template, expected) => {
  const faults: Fault[] = []
  checkTemplate(template, faults)
  expect(faults.map(({ type }) => type)).toEqual(expected)
})
