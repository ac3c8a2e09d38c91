import { assert, property, string } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compareTexts, fillWording, marksIn, wordingFault } from './wording.ts'

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
