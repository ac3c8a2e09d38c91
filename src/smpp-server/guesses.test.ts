import { expect, test } from 'vitest'
import { makeGuesses } from './guesses.ts'

test('ten attempts at an account from an address are judged in a minute, however many come at once', () => {
  let now = 0
  const guesses = makeGuesses(() => now)
  const attempts = Array.from({ length: 20 }, () => guesses.reserve('a', 'shop'))
  expect(attempts.filter(Boolean)).toHaveLength(10)
  expect(guesses.reserve('a', 'other')).toBeDefined()
  expect(guesses.reserve('b', 'shop')).toBeDefined()
  now += 60_001
  expect(guesses.reserve('a', 'shop')).toBeDefined()
})

test('what was right, or not judged, does not count, however often that is said', () => {
  const guesses = makeGuesses(() => 0)
  for (let n = 0; n < 30; n += 1) {
    const attempt = guesses.reserve('a', 'shop')
    attempt?.release()
    attempt?.succeed()
  }
  expect(Array.from({ length: 11 }, () => guesses.reserve('a', 'shop')).filter(Boolean)).toHaveLength(10)
})

test('an address has fifty guesses over all accounts, but one that has bound from there goes on', () => {
  const guesses = makeGuesses(() => 0)
  guesses.reserve('2001:db8:1:2::1', 'shop')?.succeed()
  const names = Array.from({ length: 60 }, (_, n) => guesses.reserve(`2001:db8:1:2::${n}`, `guess ${n}`))
  expect(names.filter(Boolean)).toHaveLength(50)
  expect(guesses.reserve('2001:db8:1:2::2', 'another')).toBeUndefined()
  expect(guesses.reserve('2001:db8:1:2::2', 'shop')).toBeDefined()
  expect(guesses.reserve('2001:db8:1:3::1', 'another')).toBeDefined()
})
