import { expect, test } from 'vitest'
import { makeTokenBucket } from './token-bucket.ts'

test('refills at its rate, up to one second of it', () => {
  let now = 0
  const bucket = makeTokenBucket({ rate_per_s: 10 }, () => now)
  const takeAll = () => {
    let taken = 0
    while (bucket.take()) taken += 1
    return taken
  }
  expect(takeAll()).toBe(10)
  now += 500
  expect(takeAll()).toBe(5)
  now += 60_000
  expect(takeAll()).toBe(10)
})

test('a burst bounds how many may be taken together', () => {
  let now = 0
  const bucket = makeTokenBucket({ rate_per_s: 10, burst: 2 }, () => now)
  now += 60_000
  expect([bucket.take(), bucket.take(), bucket.take()]).toEqual([true, true, false])
})

test('a count above one is taken as soon as one token is left, and its debt delays the next', () => {
  let now = 0
  const bucket = makeTokenBucket({ rate_per_s: 10, burst: 1 }, () => now)
  expect(bucket.take(5)).toBe(true)
  expect(bucket.waitMs()).toBe(500)
  now += 499
  expect(bucket.take()).toBe(false)
  now += 1
  expect(bucket.take()).toBe(true)
})

test('a new rate applies from the moment it is set', () => {
  let now = 0
  const bucket = makeTokenBucket({ rate_per_s: 10 }, () => now)
  bucket.setRate(2)
  while (bucket.take());
  now += 1_000
  expect([bucket.take(), bucket.take(), bucket.take()]).toEqual([true, true, false])
})
