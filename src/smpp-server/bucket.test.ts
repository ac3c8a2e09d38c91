import { expect, test } from 'vitest'
import { makeBucket } from './bucket.ts'

test('so many a second, and no more after a longer rest', () => {
  let now = 0
  const bucket = makeBucket(10, () => now)
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

test('a process that has a part of the binds has that part of the rate', () => {
  let now = 0
  const bucket = makeBucket(10, () => now)
  bucket.share(0.2)
  while (bucket.take());
  now += 1_000
  expect([bucket.take(), bucket.take(), bucket.take()]).toEqual([true, true, false])
})
