import { expect, test } from 'vitest'
import { makeBindAttempts } from './bind-attempts.ts'

test('at most ten attempts per minute at one account from one address are checked, also concurrent ones', () => {
  let now = 0
  const attempts = makeBindAttempts(() => now)
  const reserved = Array.from({ length: 20 }, () => attempts.reserve('a', 'shop'))
  expect(reserved.filter(Boolean)).toHaveLength(10)
  expect(attempts.reserve('a', 'other')).toBeDefined()
  expect(attempts.reserve('b', 'shop')).toBeDefined()
  now += 60_001
  expect(attempts.reserve('a', 'shop')).toBeDefined()
})

test('an attempt that was right or not checked does not count, even if released twice', () => {
  const attempts = makeBindAttempts(() => 0)
  for (let n = 0; n < 30; n += 1) {
    const attempt = attempts.reserve('a', 'shop')
    attempt?.release()
    attempt?.succeed()
  }
  expect(Array.from({ length: 11 }, () => attempts.reserve('a', 'shop')).filter(Boolean)).toHaveLength(10)
})

test('a network has fifty attempts over all accounts, but an account that has bound from there is not locked out', () => {
  const attempts = makeBindAttempts(() => 0)
  attempts.reserve('2001:db8:1:2::1', 'shop')?.succeed()
  const names = Array.from({ length: 60 }, (_, n) => attempts.reserve(`2001:db8:1:2::${n}`, `guess ${n}`))
  expect(names.filter(Boolean)).toHaveLength(50)
  expect(attempts.reserve('2001:db8:1:2::2', 'another')).toBeUndefined()
  expect(attempts.reserve('2001:db8:1:2::2', 'shop')).toBeDefined()
  expect(attempts.reserve('2001:db8:1:3::1', 'another')).toBeDefined()
})
