import { expect, test } from 'vitest'
import { makeBoundedCache } from './bounded-cache.ts'

test('returns what was set, replaces and deletes it', () => {
  const cache = makeBoundedCache<string, number>(10)
  cache.set('a', 1)
  cache.set('a', 2)
  expect(cache.get('a')).toBe(2)
  expect(cache.get('b')).toBeUndefined()
  cache.delete('a')
  expect(cache.get('a')).toBeUndefined()
})

test('holds at most its limit, and evicts the entry that was not used for the longest', () => {
  const cache = makeBoundedCache<number, number>(100)
  cache.set(-1, -1)
  for (let n = 0; n < 1_000; n += 1) {
    cache.set(n, n)
    expect(cache.get(-1)).toBe(-1)
  }
  const kept = Array.from({ length: 1_000 }, (_, n) => n).filter((n) => cache.get(n) !== undefined)
  expect(kept.length).toBeLessThanOrEqual(100)
  expect(kept).toContain(999)
  expect(kept).not.toContain(500)
})

test('an old value never reappears after a newer one was deleted', () => {
  const cache = makeBoundedCache<number, string>(4)
  cache.set(1, 'old')
  cache.set(2, 'x')
  cache.set(3, 'x') // a new generation
  cache.set(1, 'new')
  cache.delete(1)
  expect(cache.get(1)).toBeUndefined()
})

test('is empty once cleared', () => {
  const cache = makeBoundedCache<number, string>(2)
  for (const n of [1, 2, 3]) cache.set(n, 'x')
  expect(cache.size).toBe(2)
  cache.clear()
  expect(cache.size).toBe(0)
  expect([1, 2, 3].map((n) => cache.get(n))).toEqual([undefined, undefined, undefined])
})

test('holds at most its limit of weight', () => {
  const cache = makeBoundedCache<number, { weight: number }>(100, ({ weight }) => weight)
  const keys = Array.from({ length: 50 }, (_, key) => key)
  for (const key of keys) {
    cache.set(key, { weight: 1 + (key % 20) })
    cache.set(key, { weight: 1 + (key % 7) })
    const held = keys.flatMap((one) => cache.get(one)?.weight ?? [])
    expect(held.reduce((sum, weight) => sum + weight, 0)).toBeLessThanOrEqual(100)
    expect(cache.get(key)).toEqual({ weight: 1 + (key % 7) })
  }
  cache.set(99, { weight: 1_000 })
  expect(cache.get(99)).toEqual({ weight: 1_000 })
})
