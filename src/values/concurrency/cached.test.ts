import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { cached } from './cached.ts'

beforeEach(() => {
  vi.useFakeTimers({ now: 0, toFake: ['Date'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** Answers the number of the question, or fails with it. */
function counting(keep_failure_ms?: number) {
  let asked = 0
  const state = { fails: false }
  const ask = async () => {
    asked += 1
    if (state.fails) throw new Error(`failure ${asked}`)
    return asked
  }
  return { state, read: cached(1_000, ask, keep_failure_ms === undefined ? {} : { failure_ttl_ms: keep_failure_ms }) }
}

test('loads once per interval, and concurrent callers share one load', async () => {
  const { read } = counting()
  expect(await Promise.all([read(''), read('')])).toEqual([1, 1])
  expect(await read('another')).toBe(2)
  vi.setSystemTime(999)
  expect(await read('')).toBe(1)
  vi.setSystemTime(1_000)
  expect(await read('')).toBe(3)
})

test('a failure is not kept', async () => {
  const { read, state } = counting()
  state.fails = true
  await expect(read('')).rejects.toThrow('failure 1')
  state.fails = false
  expect(await read('')).toBe(2)
})

test('a failure is kept for failure_ttl_ms', async () => {
  const { read, state } = counting(50)
  state.fails = true
  await expect(read('')).rejects.toThrow('failure 1')
  state.fails = false
  vi.setSystemTime(49)
  await expect(read('')).rejects.toThrow('failure 1')
  vi.setSystemTime(50)
  expect(await read('')).toBe(2)
})
