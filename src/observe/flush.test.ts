import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startFlush } from './flush.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** Writes that take so long, and when they began. */
function slowWrites(took_ms: number) {
  const began: number[] = []
  const started = performance.now()
  const write = async (): Promise<void> => {
    began.push(Math.round(performance.now() - started))
    await new Promise((resolve) => setTimeout(resolve, took_ms))
  }
  return { began, write }
}

test.each([
  [10, [1_000, 2_010, 3_020]],
  [40, [1_000, 2_040, 3_080]],
  [100, [1_000, 3_100, 5_200]],
  [3_000, [1_000, 14_000, 27_000]],
])('a write that takes %i ms is followed by a rest', async (took_ms, expected) => {
  const { began, write } = slowWrites(took_ms)
  const counting = startFlush(write)
  await vi.advanceTimersByTimeAsync(28_000)
  expect(began.slice(0, 3)).toEqual(expected)
  const stopped = counting.stop()
  await vi.advanceTimersByTimeAsync(10_000)
  await stopped
})

test('who stops waits for the write under way, and writes once more', async () => {
  const { began, write } = slowWrites(500)
  const counting = startFlush(write)
  await vi.advanceTimersByTimeAsync(1_200)
  const stopped = counting.stop()
  await vi.advanceTimersByTimeAsync(1_000)
  await stopped
  await vi.advanceTimersByTimeAsync(60_000)
  expect(began).toEqual([1_000, 1_500])
})
