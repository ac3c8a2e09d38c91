import { describe, expect, test } from 'vitest'
import { hashApiKey, hintOf, isMistyped, newApiKey } from './api-key.ts'

describe('an API key', () => {
  test('says its mode, is long, and is never the same twice', () => {
    expect(newApiKey('live')).toMatch(/^gg_live_[0-9A-Za-z]{49}$/)
    expect(newApiKey('test')).toMatch(/^gg_test_[0-9A-Za-z]{49}$/)
    expect(new Set(Array.from({ length: 1_000 }, () => newApiKey('live'))).size).toBe(1_000)
  })

  test('is recognised as mistyped when one character is another', () => {
    const key = newApiKey('live')
    expect(isMistyped(key)).toBe(false)
    for (let n = 8; n < key.length; n += 1) {
      const other = key[n] === 'a' ? 'b' : 'a'
      expect(isMistyped(key.slice(0, n) + other + key.slice(n + 1))).toBe(true)
    }
  })

  test('of another format is not checked', () => {
    expect(isMistyped('a key of my own')).toBe(false)
    expect(isMistyped('gg_live_short')).toBe(false)
  })

  test('is stored as a hash and shown as a hint', () => {
    const key = newApiKey('live')
    expect(hashApiKey(key)).toHaveLength(32)
    expect(hintOf(key)).toBe(`${key.slice(0, 11)}…${key.slice(-4)}`)
    expect(hintOf('short')).toBe('sh…')
  })
})
