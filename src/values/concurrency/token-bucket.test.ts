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

test('a burst in seconds follows the rate', () => {
  let now = 0
  const bucket = makeTokenBucket({ rate_per_s: 10, burst_s: 0.2 }, () => now)
  const takeAll = () => {
    let taken = 0
    while (bucket.take()) taken += 1
    return taken
  }
  expect(takeAll()).toBe(2)
  bucket.setRate(20)
  now += 60_000
  expect(takeAll()).toBe(4)
})

test('an emptied bucket refills from that moment', () => {
  let now = 0
  const bucket = makeTokenBucket({ rate_per_s: 10 }, () => now)
  now += 60_000
  bucket.empty()
  expect(bucket.waitMs()).toBe(100)
  now += 100
  expect([bucket.take(), bucket.take()]).toEqual([true, false])
})

test('acquire waits for tokens and serves callers in the order of arrival', async () => {
  const bucket = makeTokenBucket({ rate_per_s: 200, burst: 1 })
  const served: number[] = []
  const began = performance.now()
  await Promise.all([1, 2, 3].map((n) => bucket.acquire().then(() => served.push(n))))
  expect(served).toEqual([1, 2, 3])
  expect(performance.now() - began).toBeGreaterThanOrEqual(9)
})
