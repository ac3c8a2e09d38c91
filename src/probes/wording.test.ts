import { assert, property, string } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compareTexts, fillContent, fillWording, likeliest, marksIn, wordingFault } from './wording.ts'

describe('a wording', () => {
  test.each([
    ['Your code is {{code}}.', 'Your code is (\\d{6})\\.'],
    ['{{ word }} is your password', '([a-z]{8}) is your password'],
  ])('%s has its placeholder replaced by a mark that is found in the text', (wording, pattern) => {
    expect(wordingFault(wording)).toBeUndefined()
    const { text, mark } = fillWording(wording)
    expect(new RegExp(`^${pattern}$`).exec(text)?.[1]).toBe(mark)
    expect(marksIn(text)).toContain(mark)
  })

  test.each([
    'No placeholder',
    '{{code}} and {{word}}',
    '{{name}}',
    '{{code|1}}',
    'G{{code}}',
    '{{code}}7',
    '{{constructor}}',
  ])('%s is refused', (wording) => expect(wordingFault(wording)).toBeDefined())

  test('has another mark each time', () => {
    expect(new Set(Array.from({ length: 50 }, () => fillWording('{{word}}').mark)).size).toBe(50)
  })
})

describe('the text of a campaign', () => {
  test('has words like names for its placeholders, of which the first that stands alone is its mark', () => {
    const { text, mark } = fillContent('No{{nr}}: dear {{name}}, {{name}} owes {{sum|nothing}} at {{shop}}')
    const [, nr, name, again, shop] =
      /^No([A-Z][a-z]{7}): dear ([A-Z][a-z]{7}), ([A-Z][a-z]{7}) owes nothing at ([A-Z][a-z]{7})$/.exec(text) ?? []
    expect(mark).toBe(name?.toLowerCase())
    expect(again).toBe(name)
    expect(new Set([nr, name, shop]).size).toBe(3)
    expect(marksIn(text)).toContain(mark)
  })

  test('has its mark also in a placeholder with a default', () => {
    const { text, mark } = fillContent('Dear {{name|customer}}, hello')
    expect(text).toMatch(/^Dear [A-Z][a-z]{7}, hello$/)
    expect(text.toLowerCase()).toContain(mark)
  })

  test.each(['We open at eight.', 'x{{a}}y', ''])('%s has no mark', (content) => {
    expect(fillContent(content).mark).toBeUndefined()
  })

  test('without a mark is recognised by most of its words, and the one with more of them is taken', () => {
    const [open, closed] = [{ text: 'Dear all, we open at eight' }, { text: 'Dear all, we close at eight' }]
    expect(likeliest([closed, open], open.text)).toBe(open)
    expect(likeliest([closed, open], 'Ad: DEAR ALL,  we open at eight')).toBe(open)
    expect(likeliest([closed], 'Dear Ada, your parcel is here')).toBeUndefined()
    expect(likeliest([], open.text)).toBeUndefined()
    expect(likeliest([{ text: '!!' }], '??')).toBeUndefined()
    expect(likeliest([{ text: '!!' }], '!!')).toEqual({ text: '!!' })
  })
})

describe('a received text', () => {
  test('has marks in any case, between other characters, and a bounded number of them', () => {
    expect(marksIn('Code:123456.KADOMIRU-1234567')).toEqual(['123456', 'kadomiru'])
    expect(marksIn(Array.from({ length: 1_000 }, (_, n) => 100_000 + n).join(' '))).toHaveLength(200)
  })

  test('is compared with the one that was sent', () => {
    expect(compareTexts('Your code is 123456', 'Your code is 123456')).toBe('equal')
    expect(compareTexts('Your code is 123456', 'code is 123456')).toBe('part')
    expect(compareTexts('Your code is 123456', 'Your code is 123456 via Spam')).toBe('changed')
    expect(compareTexts('Your code is 123456', 'YOUR CODE IS 123456')).toBe('changed')
  })

  test('of any form has only marks that it contains', () => {
    assert(property(string(), (text) => marksIn(text).every((mark) => text.toLowerCase().includes(mark))))
  })
})
