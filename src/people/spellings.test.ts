import { describe, expect, test } from 'vitest'
import { ownPart, spellingsOf, withoutNumber } from './spellings.ts'

const spelled = spellingsOf('2348031234567')

describe('a number in a text', () => {
  test.each([
    '2348031234567',
    '+2348031234567',
    '002348031234567',
    '0092348031234567',
    '011 234 803 123 4567',
    'tel:8031234567;phone-context=+234',
    '٠٨٠٣١٢٣٤٥٦٧',
    '+۲۳۴ ۸۰۳ ۱۲۳ ۴۵۶۷',
    '０８０３－１２３－４５６７',
    '08031234567',
    '8031234567',
    '+234 (0) 803 123 4567',
    '+234-803-123-4567',
    '0803.123.4567',
    '(0803) 123\u00a04567',
    '?to=%2B2348031234567&x=1',
    'tel:+234%20803%20123%204567',
    'Call 0803 123 4567, please.',
    '009234 803 123 4567',
    '0112348031234567',
    '+２３４ ８０３ １２３ ４５６７',
    '٠٨٠٣١٢٣٤٥٦٧',
    '%2B234%20803%20123%204567',
    `wamid.${Buffer.from('\u001c\u0018\r2348031234567\u0015\u0002', 'latin1').toString('base64')}`,
    Buffer.from('a2348031234567').toString('base64'),
    Buffer.from('ab2348031234567 and more').toString('base64url'),
    '"recipient":"2348031234567"',
  ])('%s', (text) => {
    expect(spelled.isIn(text)).toBe(true)
    expect(text).toMatch(new RegExp([spelled.coarse_pattern, ...spelled.encoded].join('|')))
    expect(spelled.isIn(spelled.replaceIn(text, 'erased-1'))).toBe(false)
    expect(spelled.replaceIn(text, 'erased-1')).not.toMatch(/803|4567/)
  })

  test.each(['2348031234568', '12348031234567', '23480312345678', '1234567', '0803 123 456', '0703 123 4567'])(
    '%s is another',
    (text) => {
      expect(spelled.isIn(text)).toBe(false)
    },
  )

  test('alone in a column', () => {
    for (const form of spelled.forms) expect([form, spelled.is(form)]).toEqual([form, true])
    expect(spelled.forms).toEqual(expect.arrayContaining(['2348031234567', '+2348031234567', '08031234567']))
  })

  test('nothing else of the text goes', () => {
    expect(spelled.replaceIn('Pay 500 to +234 803 123 4567 by 12.11.', 'erased-1')).toBe(
      'Pay 500 to erased-1 by 12.11.',
    )
  })

  test('a short number alone is not taken for one', () => {
    const short = spellingsOf('2906111234')
    expect(short.isIn('order 6111234')).toBe(false)
    expect(short.isIn('+290 6111234')).toBe(true)
    expect('+290 6111234').toMatch(new RegExp(short.coarse_pattern))
  })
})

test('the number goes out of JSON, and the entries that are for it', () => {
  const value = {
    recipients: ['2348031234567', '2348030000000'],
    personalisation: [
      { to: '0803 123 4567', substitutions: { name: 'Ada' } },
      { to: '08030000000', substitutions: { friend: '08031234567' } },
    ],
    phone: 2348031234567,
  }
  expect(withoutNumber(value, spelled, 'erased-1')).toEqual({
    recipients: ['erased-1', '2348030000000'],
    personalisation: [{ to: '08030000000', substitutions: { friend: 'erased-1' } }],
    phone: 'erased-1',
  })
})

test('of what is shared an export shows the own part', () => {
  expect(ownPart({ id: 'a', recipients: ['2348031234567', '2348030000000'] }, spelled)).toEqual({
    id: 'a',
    recipients: ['2348031234567'],
  })
})
