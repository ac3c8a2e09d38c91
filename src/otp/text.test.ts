import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Fault } from '../values/refusal.ts'
import { STANDARD_PAGES } from '../values/sms/page-form.ts'
import { measureText } from '../values/sms/sms-text.ts'
import { checkTemplate, hideToken, writeText } from './text.ts'

const facts = { token: '482913', minutes: 15, sender_id: 'Gangan' }

describe('writeText', () => {
  test('fills in what it knows, blanks or not, as often as it stands there', () => {
    const { text } = writeText('{{token}} {{ sender }} {{minutes}}m {{token}}', '', facts)
    expect(text).toBe('482913 Gangan 15m 482913')
  })

  test('takes braces before any number of blanks', () => {
    const blanks = `{{${' '.repeat(100_000)}`
    expect(writeText(blanks, '', facts).text).toBe(blanks)
    const faults: Fault[] = []
    checkTemplate(blanks, faults)
    expect(faults).toMatchObject([{ field: 'template', type: 'string_too_long' }])
  })

  test('says "verification" without a sender ID', () => {
    expect(writeText('Your {{sender}} code', '', { ...facts, sender_id: null }).text).toBe('Your verification code')
  })

  test('ends with the line for one domain', () => {
    expect(writeText('{{token}}', 'example.com', facts)).toEqual({
      text: '482913\n\n@example.com #482913',
      shown: '******\n\n@example.com #******',
    })
  })

  test('shows nothing of the token, and the same length and pages', () => {
    const piece = fc.constantFrom('{{token}}', '{{minutes}}', '{{sender}}', 'Your code: ', 'ọ', '€', 'x'.repeat(60))
    const any_template = fc.array(piece, { maxLength: 12 }).map((pieces) => `{{token}}${pieces.join('')}`)
    const any_token = fc.stringMatching(/^[A-Z]{4}[a-z]{6}$/)
    fc.assert(
      fc.property(any_template, any_token, (template, token) => {
        const { text, shown } = writeText(template, '', { ...facts, token })
        expect(text).toContain(token)
        expect(shown).not.toContain(token)
        expect(measureText(shown, STANDARD_PAGES)).toEqual(measureText(text, STANDARD_PAGES))
      }),
    )
  })
})

const NO_TOKEN = 'invalid: The text must have {{token}} in it.'
const NUL = 'invalid: The text holds a NUL character.'
const TOO_LONG = 'string_too_long: The text has at most 480 characters and 4 pages.'
const unknown = (name: string) =>
  `unknown_placeholder: There is no placeholder {{${name}}}; known are {{token}}, {{minutes}}, {{sender}}.`

test.each([
  ['{{token}}', []],
  ['{{ token }} and {{sender}} for {{minutes}}', []],
  ['{token}', [NO_TOKEN]],
  ['{{token}} {{nam}}', [unknown('nam')]],
  ['{{}} {{token}} {{}}', [unknown('')]],
  ['{{a}} {{b}}', [unknown('a'), unknown('b'), NO_TOKEN]],
  ['{{token}}\u0000', [NUL]],
  [`{{token}}${'a'.repeat(471)}`, []],
  [`{{token}}${'a'.repeat(472)}`, [TOO_LONG]],
  [`{{token}}${'ọ'.repeat(259)}`, []],
  [`{{token}}${'ọ'.repeat(260)}`, [TOO_LONG]],
])('checkTemplate(%j)', (template, expected) => {
  const faults: Fault[] = []
  checkTemplate(template, faults)
  expect(faults.map(({ type, message }) => `${type}: ${message}`)).toEqual(expected)
  for (const { field } of faults) expect(field).toBe('template')
})

describe('a text that the caller wrote', () => {
  test.each([
    ['Your code is 561166.', '561166', 'Your code is ******.'],
    ['AB12CD is your code', 'AB12CD', '****** is your code'],
    ['Token: horse', 'horse', 'Token: *****'],
    ['Your code is 561166, valid for 10 min', undefined, 'Your code is ******, valid for 10 min'],
    ['G-561166 and a1b2', undefined, 'G-****** and ****'],
  ])('%s is shown without its token', (text, token, shown) => {
    expect(hideToken(text, token)).toBe(shown)
    expect(hideToken(text, token)).toHaveLength(text.length)
  })
})
